#include "train/encoded_validation.hpp"

#include <cmath>
#include <map>

namespace awend::train {
namespace {

/// The mean F1 of the classes that occur, in percent.
class MacroF1 {
 public:
  void add(std::uint32_t answer, std::uint32_t predicted) {
    ++counts_[answer].answers;
    ++counts_[predicted].predictions;
    if (answer == predicted) ++counts_[answer].right;
  }
  double value() const {
    double sum = 0;
    for (const auto& [id, count] : counts_)
      sum += percentage(2 * count.right, count.answers + count.predictions);
    return counts_.empty() ? 0 : sum / static_cast<double>(counts_.size());
  }

 private:
  struct Count {
    std::size_t answers = 0, predictions = 0, right = 0;
  };
  std::map<std::uint32_t, Count> counts_;
};

}  // namespace

EncodedValidation::EncodedValidation(nn::Engine& engine, const model::EncoderView& model,
                                     const data::PairsView& pairs)
    : encoder_(engine, model,
               {.candidates = 1, .pairs = decode::EncoderSettings::Pairs::kClassify}),
      metrics_(scores_of(model.encoder->config())) {
  for (std::uint32_t pair = 0; pair < pairs.size(); ++pair) {
    if (pairs.rows({pair}).source == 0) continue;
    data::Batch batch;
    pairs.packing()->add(pairs, {pair}, batch);
    const auto second = std::ranges::find(batch.source_segments, 1u);
    answers_.insert(answers_.end(), batch.target_output_ids.begin(), batch.target_output_ids.end());
    labels_.push_back(batch.sentence_labels.front());
    lines_.push_back(
        {.ids = std::move(batch.source_ids),
         .second_segment = static_cast<std::uint32_t>(second - batch.source_segments.begin()),
         .predicted = std::move(batch.predicted_rows)});
  }
}

Scores EncodedValidation::scores() {
  const auto encoded = encoder_.encode(lines_);
  std::size_t right = 0, all = 0, right_pairs = 0;
  MacroF1 f1;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    for (const auto& candidate : encoded[i].candidates) {
      const auto answer = answers_[all++];
      right += candidate.id == answer ? 1 : 0;
      f1.add(answer, candidate.id);
    }
    const bool follows = std::exp(encoded[i].follows) > 0.5;
    right_pairs += follows == (labels_[i] == 0) ? 1 : 0;
  }
  const auto value = [&](ValidationMetric metric) {
    if (metric == ValidationMetric::kF1) return f1.value();
    const bool of_pairs = metric == ValidationMetric::kNextSentenceAccuracy;
    return of_pairs ? percentage(right_pairs, encoded.size()) : percentage(right, all);
  };
  Scores scores;
  for (const auto metric : metrics_) scores.push_back({metric, value(metric)});
  return scores;
}

}  // namespace awend::train
