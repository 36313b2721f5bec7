#include "train/span_validation.hpp"

#include <algorithm>

namespace awend::train {
namespace {

/// The tokens of an answer; none if there is no answer.
std::vector<std::uint32_t> tokens_of(const data::EncoderLine& line, const batch::RowRange& places) {
  if (places.begin == 0) return {};
  return {line.ids.begin() + places.begin, line.ids.begin() + places.end};
}

}  // namespace

double token_f1(std::span<const std::uint32_t> answer, std::span<const std::uint32_t> reference) {
  if (answer.empty() || reference.empty()) return answer.empty() == reference.empty() ? 1 : 0;
  std::vector<std::uint32_t> one(answer.begin(), answer.end()),
      other(reference.begin(), reference.end()), both;
  std::ranges::sort(one);
  std::ranges::sort(other);
  std::ranges::set_intersection(one, other, std::back_inserter(both));
  return 2 * static_cast<double>(both.size()) / static_cast<double>(one.size() + other.size());
}

SpanValidation::SpanValidation(nn::Engine& engine, const model::EncoderView& model,
                               const data::PairsView& pairs)
    : encoder_(engine, model, {.spans = decode::EncoderSettings::Spans::kScore}) {
  for (std::uint32_t pair = 0; pair < pairs.size(); ++pair) {
    batch::PackedBatch batch;
    pairs.packing()->add(pairs, {pair}, batch);
    const auto second = std::ranges::find(batch.source.segments, 1u);
    lines_.push_back(
        {.ids = std::move(batch.source.ids),
         .second_segment = static_cast<std::uint32_t>(second - batch.source.segments.begin()),
         .predicted = {}});
    references_.push_back({batch.output_ids[0], batch.output_ids[1] + 1});
    if (batch.output_ids[0] == 0) settings_.null_threshold = 0;
  }
}

Scores SpanValidation::scores() {
  const auto encoded = encoder_.encode(lines_);
  double matches = 0, f1 = 0;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    const auto best = best_answers(lines_[i], encoded[i].span_ends, settings_).front();
    const auto answer = tokens_of(lines_[i], best.places);
    const auto reference = tokens_of(lines_[i], references_[i]);
    matches += answer == reference ? 1 : 0;
    f1 += token_f1(answer, reference);
  }
  const auto count = static_cast<double>(encoded.size());
  return {{ValidationMetric::kExactMatch, 100 * matches / count},
          {ValidationMetric::kF1, 100 * f1 / count}};
}

}  // namespace awend::train
