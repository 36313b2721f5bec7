#include "decode/attention_maps.hpp"

#include <algorithm>
#include <numeric>

#include "model/attention_ranges.hpp"

namespace awend::decode {
namespace {

using Kind = model::AttentionOutput::Kind;
using Columns = MapsShape::Columns;

/// The keys of a row, among those of its sentence.
batch::RowRange keys_of(const MapsShape& shape, std::uint32_t row) {
  if (shape.unit != Columns::kTokens)
    return {0, shape.columns - (shape.unit == Columns::kSentencesAndRest ? 1 : 0)};
  switch (shape.kind) {
    case Kind::kDecoder:
      return model::in_window(shape.config, {0, row + 1}, row);
    case Kind::kEncoder:
      return model::encoder_range(shape.config, {0, shape.columns}, row);
    case Kind::kCross:
      break;
  }
  return model::attended_source(shape.config, {0, shape.columns});
}

}  // namespace

store::AttentionMaps attention_maps(const nn::Program& program,
                                    std::span<const model::AttentionOutput> attentions,
                                    const MapsShape& shape) {
  store::AttentionMaps maps{.rows = shape.rows, .columns = shape.columns, .values = {}};
  for (const auto& output : attentions) {
    if (output.kind != shape.kind) continue;
    ++maps.layers;
    maps.heads = output.heads;
    const auto weights = program.host<float>(output.weights);
    for (std::uint32_t head = 0; head < output.heads; ++head) {
      for (std::uint32_t row = 0; row < shape.rows; ++row) {
        const auto [begin, end] = keys_of(shape, row);
        const auto place = (std::size_t{shape.first_row} + row) * output.heads + head;
        const auto from = weights.subspan(place * output.max_keys, end - begin);
        maps.values.resize(maps.values.size() + begin);
        maps.values.insert(maps.values.end(), from.begin(), from.end());
        if (shape.unit == Columns::kSentencesAndRest) {
          maps.values.push_back(
              std::max(1 - std::accumulate(from.begin(), from.end(), 0.0F), 0.0F));
        } else {
          maps.values.resize(maps.values.size() + shape.columns - end);
        }
      }
    }
  }
  return maps;
}

}  // namespace awend::decode
