#include "interchange/head_padding.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "base/numbers.hpp"

namespace awend::interchange {
namespace {

constexpr std::uint32_t kMultiple = 4;

/// "query" of "self.query" and "self.query_bias"; empty for weights that have no heads.
std::string_view projection_of(std::string_view part) {
  const auto dot = part.find('.');
  const auto block = part.substr(0, dot);
  if (dot == part.npos || (block != "self" && block != "cross")) return "";
  part.remove_prefix(dot + 1);
  if (part.ends_with("_bias")) part.remove_suffix(5);
  return part;
}

bool is_bias(const model::WeightShape& weight) {
  return weight.part.ends_with("_bias");
}

}  // namespace

HeadPadding::HeadPadding(model::Config& config) {
  auto& transformer = config.transformer;
  if (model::layout_of(config.architecture) == model::WeightLayout::kRnn) return;
  const std::uint32_t heads = transformer.heads, decoder_heads = transformer.decoder_heads == 0
                                                                     ? heads
                                                                     : transformer.decoder_heads;
  // Sizes that no padding explains are refused later.
  if (heads == 0 || transformer.d_k == 0 || transformer.d_k != transformer.d_v) return;
  const std::uint64_t columns = std::uint64_t{heads} * transformer.d_k,
                      multiple =
                          kMultiple * std::lcm(std::uint64_t{heads}, std::uint64_t{decoder_heads});
  if (columns % multiple == 0 || columns % decoder_heads != 0) return;
  const auto all = base::divide_up(columns, multiple) * multiple;
  const auto side = [&](std::uint32_t number) -> Side {
    return {number, static_cast<std::uint32_t>(columns / number),
            static_cast<std::uint32_t>(all / number)};
  };
  encoder_ = side(heads);
  decoder_ = side(decoder_heads);
  transformer.d_k = transformer.d_v = encoder_.padded;
  divides_by_root_ = transformer.attention_scale == model::AttentionScale::kInverseRootOfKeys;
}

const HeadPadding::Side* HeadPadding::padded_side(const model::WeightShape& weight) const {
  const Side& side = weight.side == "decoder" ? decoder_ : encoder_;
  if (side.heads == 0 || projection_of(weight.part).empty()) return nullptr;
  // The bias of the output has the width of the model.
  if (projection_of(weight.part) == "output" && is_bias(weight)) return nullptr;
  return &side;
}

model::WeightShape HeadPadding::original(const model::WeightShape& weight) const {
  auto shape = weight;
  if (const auto* side = padded_side(weight))
    (projection_of(weight.part) == "output" ? shape.rows : shape.columns) =
        side->heads * side->size;
  return shape;
}

std::vector<float> HeadPadding::padded(std::vector<float> values,
                                       const model::WeightShape& weight) const {
  const auto* const side = padded_side(weight);
  if (side == nullptr) return values;
  const auto projection = projection_of(weight.part);
  // Of an output, a head has rows, otherwise columns.
  const std::size_t blocks = projection == "output" ? 1 : weight.rows,
                    unit = projection == "output" ? weight.columns : 1;
  if (divides_by_root_ && projection == "query") {
    const double ratio = static_cast<double>(side->padded) / side->size;
    const auto factor = static_cast<float>(std::sqrt(ratio));
    for (float& value : values) value *= factor;
  }
  std::vector<float> result(std::size_t{weight.rows} * weight.columns);
  auto from = values.begin();
  auto to = result.begin();
  for (std::size_t i = 0; i < blocks * side->heads; ++i) {
    const auto own = static_cast<std::ptrdiff_t>(unit * side->size);
    std::copy(from, from + own, to);
    from += own;
    to += static_cast<std::ptrdiff_t>(unit * side->padded);
  }
  return result;
}

}  // namespace awend::interchange
