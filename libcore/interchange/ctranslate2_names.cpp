// Where CTranslate2 has the weights of an encoder-decoder Transformer.
#include <map>

#include "base/concat.hpp"
#include "interchange/names.hpp"
#include "interchange/transformer_settings.hpp"

namespace awend::interchange {
namespace {

/// The columns of q, k and v are parts of one matrix.
Location part_of(std::string name, std::uint32_t part, std::uint32_t parts, std::uint32_t columns) {
  return {.name = std::move(name),
          .order = Location::Order::kTransposed,
          .all_outputs = parts * columns,
          .output_of = [=](std::uint32_t output) { return part * columns + output; }};
}

Location attention_part(const std::string& prefix, const std::string& part, std::uint32_t columns) {
  const bool is_self = prefix.ends_with("self_attention/");
  if (part == "output")
    return {.name = prefix + (is_self ? "linear_1" : "linear_2"),
            .order = Location::Order::kTransposed};
  const std::uint32_t index = part == "query" ? 0 : part == "key" ? 1 : 2;
  if (is_self) return part_of(prefix + "linear_0", index, 3, columns);
  if (index == 0) return {.name = prefix + "linear_0", .order = Location::Order::kTransposed};
  return part_of(prefix + "linear_1", index - 1, 2, columns);
}

Location locate_table(const std::string& part, const HasArray& has) {
  if (part == "output_bias") return {.name = "decoder/projection/bias"};
  if (part == "projection") return {.name = "decoder/projection/weight"};
  if (part == "source_embedding") return {.name = ctranslate2_source_embedding(has)};
  return {.name = "decoder/embeddings/weight"};
}

}  // namespace

std::string ctranslate2_source_embedding(const HasArray& has) {
  const std::string first = "encoder/embeddings_0/weight";
  return has(first) ? first : "encoder/embeddings/weight";
}

Location ctranslate2_location(const model::WeightShape& weight, const HasArray& has) {
  if (weight.side.empty()) return locate_table(weight.part, has);
  const auto prefix =
      weight.layer ? base::concat(weight.side, "/layer_", *weight.layer, "/") : weight.side + "/";
  const auto dot = weight.part.find('.');
  const auto block = weight.part.substr(0, dot), part = weight.part.substr(dot + 1);
  static const std::map<std::string, std::string, std::less<>> kNorms = {
      {"self_norm", "self_attention/layer_norm"},
      {"cross_norm", "attention/layer_norm"},
      {"feed_forward_norm", "ffn/layer_norm"},
      {"norm", "layer_norm"},
      {"embedding_norm", "layernorm_embedding"}};
  if (const auto norm = kNorms.find(block); norm != kNorms.end())
    return {.name = prefix + norm->second + (part == "gain" ? "/gamma" : "/beta")};
  const auto biased = without_end(part, "_bias");
  const auto matrix = biased.value_or(part);
  Location location;
  if (block == "feed_forward") {
    // The gate is the first matrix, whose activation function it is.
    const bool is_gated = has(prefix + "ffn/linear_0_noact/weight");
    location = {.name = prefix + (matrix == "outer"               ? "ffn/linear_1"
                                  : matrix == "inner" && is_gated ? "ffn/linear_0_noact"
                                                                  : "ffn/linear_0"),
                .order = Location::Order::kTransposed};
  } else {
    location = attention_part(prefix + (block == "self" ? "self_attention/" : "attention/"), matrix,
                              weight.columns);
  }
  location.name += biased ? "/bias" : "/weight";
  if (biased) location.if_missing = 0.0f;
  return location;
}

}  // namespace awend::interchange
