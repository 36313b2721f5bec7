#include "train/scores.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::train {
namespace {

using enum ValidationMetric;

constexpr ValidationMetric kOfTranslations[] = {kBleu, kChrf};
constexpr ValidationMetric kOfAnswers[] = {kAccuracy};
constexpr ValidationMetric kOfMaskedTokens[] = {kAccuracy};
constexpr ValidationMetric kOfMaskedPairs[] = {kAccuracy, kNextSentenceAccuracy};
constexpr ValidationMetric kOfLabels[] = {kAccuracy, kF1};
constexpr ValidationMetric kOfSpans[] = {kExactMatch, kF1};

}  // namespace

const MetricRow& row_of(ValidationMetric metric) {
  return *std::ranges::find(kMetrics, metric, &MetricRow::value);
}

std::string_view name_of(ValidationMetric metric) {
  return row_of(metric).text;
}

std::string column_of(ValidationMetric metric) {
  return base::concat("valid_", name_of(metric));
}

double percentage(std::size_t part, std::size_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

double value_of(const Scores& scores, ValidationMetric metric) {
  const auto score = std::ranges::find(scores, metric, &Score::metric);
  base::check(score != scores.end(), "validations have the score by which they are compared");
  return score->value;
}

Metrics scores_of(const model::Config& config) {
  switch (model::text_kind_of(config)) {
    case model::TextKind::kPairs:
      return model::reads_stories(config) ? Metrics(kOfAnswers) : Metrics(kOfTranslations);
    case model::TextKind::kRunning:
      return config.bert.next_sentence == model::Switch::kOn ? Metrics(kOfMaskedPairs)
                                                             : Metrics(kOfMaskedTokens);
    case model::TextKind::kSpans:
      return kOfSpans;
    case model::TextKind::kLabeled:
      break;
  }
  return kOfLabels;
}

ValidationMetric default_metric(const model::Config& config) {
  return model::reads_stories(config) ? kAccuracy : kLoss;
}

void require_metric(ValidationMetric metric, const model::Config& config) {
  std::vector<std::string_view> names = {name_of(kLoss)};
  for (const auto score : scores_of(config)) names.push_back(name_of(score));
  base::require_one_of(names, name_of(metric));
}

ValidationMetric present_metric(ValidationMetric stored, const model::Config& config,
                                const base::Report& report) {
  const auto scores = scores_of(config);
  if (model::text_kind_of(config) == model::TextKind::kPairs) return stored;
  if (stored != kBleu && (stored != kChrf || scores.size() < 2)) return stored;
  const auto present = scores[stored == kBleu ? 0 : 1];
  report.info(base::concat("the best validations were compared by ", name_of(stored),
                           ", which is now named ", name_of(present)));
  return present;
}

}  // namespace awend::train
