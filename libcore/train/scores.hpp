// What a validation measures: the loss, and scores of translations, answers or predictions.
//
// One table gives each metric its names; the columns of the log, the option --best-metric and the
// curves of inspect follow from it.  Test: tests/unit/train/scores_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/report.hpp"
#include "base/words.hpp"
#include "model/config.hpp"

namespace awend::train {

enum class ValidationMetric {
  kLoss,
  kBleu,
  kChrf,
  kAccuracy,
  kNextSentenceAccuracy,
  kF1,
  kExactMatch
};
enum class Better { kLower, kHigher };

struct MetricRow {
  ValidationMetric value;
  std::string_view text;     ///< In options and training states; the log's column is "valid_" + it.
  std::string_view title;    ///< In curves.
  std::string_view heading;  ///< Of a narrow column on a terminal.
  Better better = Better::kHigher;
  int decimals = 2;  ///< In the log file; on a terminal one less.
};

/// Scores are from 0 to 100.
inline constexpr MetricRow kMetrics[] = {
    {ValidationMetric::kLoss, "loss", "loss", "loss", Better::kLower, 4},
    {ValidationMetric::kBleu, "bleu", "BLEU", "BLEU"},
    {ValidationMetric::kChrf, "chrf", "chrF", "chrF"},
    {ValidationMetric::kAccuracy, "accuracy", "accuracy", "acc."},
    {ValidationMetric::kNextSentenceAccuracy, "next_sentence_accuracy", "next-sentence accuracy",
     "next"},
    {ValidationMetric::kF1, "f1", "F1", "F1"},
    {ValidationMetric::kExactMatch, "exact_match", "exact match", "EM"},
};
const MetricRow& row_of(ValidationMetric metric);
std::string_view name_of(ValidationMetric metric);
/// "valid_accuracy"
std::string column_of(ValidationMetric metric);

using Metrics = std::span<const ValidationMetric>;
struct Score {
  ValidationMetric metric;
  double value;
};
/// In the order of scores_of(); empty if a validation only computes the loss.
using Scores = std::vector<Score>;
/// Requires: the score is there.
double value_of(const Scores& scores, ValidationMetric metric);

double percentage(std::size_t part, std::size_t all);

/// The scores that validations of a model have: BLEU and chrF of translations; the accuracy of
/// answers, as a whole, of masked tokens and next sentences, or of labels with their F1; the exact
/// match of spans with the F1 of their tokens.
Metrics scores_of(const model::Config& config);

/// The metric of the best checkpoints unless another one is chosen: accuracy of memory networks,
/// whose loss rises while they make fewer errors; otherwise the loss.
ValidationMetric default_metric(const model::Config& config);

/// Throws Error "must be …, got …" unless the metric is the loss or one of scores_of().
void require_metric(ValidationMetric metric, const model::Config& config);

/// The metric of a training state, which may be from when BERT's accuracy was named bleu, and its
/// second score chrf; reports the present name of such a score.
ValidationMetric present_metric(ValidationMetric stored, const model::Config& config,
                                const base::Report& report);

}  // namespace awend::train
