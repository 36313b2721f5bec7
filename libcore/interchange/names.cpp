#include "interchange/names.hpp"

#include <map>

#include "base/concat.hpp"
#include "interchange/transformer_settings.hpp"

namespace awend::interchange {

const std::map<std::string, std::string, std::less<>> kFairseqBlocks = {
    {"self", "self_attn."},
    {"cross", "encoder_attn."},
    {"feed_forward", ""},
    {"self_norm", "self_attn_layer_norm"},
    {"cross_norm", "encoder_attn_layer_norm"},
    {"feed_forward_norm", "final_layer_norm"},
    {"norm", "layer_norm"},
    {"embedding_norm", "layernorm_embedding"}};
const std::map<std::string, std::string, std::less<>> kFairseqParts = {
    {"query", "q_proj"},    {"key", "k_proj"}, {"value", "v_proj"},
    {"output", "out_proj"}, {"inner", "fc1"},  {"outer", "fc2"}};

namespace {

const std::map<std::string, std::string, std::less<>> kMarianBlocks = {
    {"self", "self"}, {"cross", "context"}, {"feed_forward", "ffn"}, {"ssru", "rnn"}};
const std::map<std::string, std::string, std::less<>> kMarianParts = {
    {"query", "q"}, {"key", "k"},   {"value", "v"}, {"output", "o"},
    {"inner", "1"}, {"outer", "2"}, {"input", ""},  {"forget", "f"}};
// Normalizations by our names, in a layer and outside.
const std::map<std::string, std::string, std::less<>> kMarianNorms = {
    {"self_norm", "self_Wo"},         {"ssru_norm", "rnn_ffn"}, {"cross_norm", "context_Wo"},
    {"feed_forward_norm", "ffn_ffn"}, {"norm", "top"},          {"embedding_norm", "emb"}};

/// Finds weights by Marian's names.
class MarianNames {
 public:
  explicit MarianNames(const HasArray& has) : has_(has) {}

  Location operator()(const model::WeightShape& weight) const {
    if (weight.side.empty()) return table(weight.part);
    const std::string prefix =
        weight.layer ? base::concat(weight.side, "_l", *weight.layer + 1, "_") : weight.side + "_";
    const auto dot = weight.part.find('.');
    const auto block = weight.part.substr(0, dot), part = weight.part.substr(dot + 1);
    if (const auto norm = kMarianNorms.find(block); norm != kMarianNorms.end()) {
      const bool gain = part == "gain";
      const std::string end = gain ? "_ln_scale" : "_ln_bias";
      // Normalization before a block has another name.
      const auto pre = prefix + (block == "ssru_norm" ? "rnn" : norm->second) + end + "_pre";
      return {.name = has_(pre) ? pre : prefix + norm->second + end,
              .if_missing = gain ? 1.0f : 0.0f};
    }
    const auto place = prefix + kMarianBlocks.at(block) + "_";
    if (const auto biased = without_end(part, "_bias"))
      return {.name = place + "b" + kMarianParts.at(*biased), .if_missing = 0.0f};
    return {.name = place + "W" + kMarianParts.at(part)};
  }

 private:
  Location table(const std::string& part) const {
    if (part == "output_bias") return {.name = "decoder_ff_logit_out_b"};
    if (part == "projection") {
      // Old versions have columns for ids.
      if (has_("decoder_ff_logit_out_Wt")) return {.name = "decoder_ff_logit_out_Wt"};
      return {.name = "decoder_ff_logit_out_W", .order = Location::Order::kTransposed};
    }
    const bool shared = has_("Wemb");
    if (part == "source_embedding") return {.name = shared ? "Wemb" : "encoder_Wemb"};
    if (part == "target_embedding") return {.name = shared ? "Wemb" : "decoder_Wemb"};
    return {.name = "Wemb"};
  }

  const HasArray& has_;
};

class HuggingFaceNames {
 public:
  explicit HuggingFaceNames(const HasArray& has) : has_(has) {}

  Location operator()(const model::WeightShape& weight) const {
    if (weight.side.empty()) return table(weight.part);
    const auto prefix = weight.layer
                            ? base::concat("model.", weight.side, ".layers.", *weight.layer, ".")
                            : base::concat("model.", weight.side, ".");
    const auto dot = weight.part.find('.');
    const auto block = prefix + kFairseqBlocks.at(weight.part.substr(0, dot));
    const auto part = weight.part.substr(dot + 1);
    if (part == "gain") return {.name = block + ".weight"};
    if (part == "bias") return {.name = block + ".bias"};
    if (const auto biased = without_end(part, "_bias"))
      return {.name = block + kFairseqParts.at(*biased) + ".bias"};
    return {.name = block + kFairseqParts.at(part) + ".weight",
            .order = Location::Order::kTransposed};
  }

 private:
  /// Tied matrices are stored under one name or all.
  Location first_of(std::initializer_list<std::string_view> names) const {
    for (const auto name : names) {
      if (has_(name)) return {.name = std::string(name)};
    }
    return {.name = std::string(*names.begin())};
  }
  Location table(const std::string& part) const {
    constexpr std::string_view kEncoder = "model.encoder.embed_tokens.weight",
                               kDecoder = "model.decoder.embed_tokens.weight",
                               kOutput = "lm_head.weight", kShared = "model.shared.weight";
    if (part == "output_bias") return {.name = "final_logits_bias"};
    if (part == "projection") return {.name = std::string(kOutput)};
    if (part == "source_positions") return {.name = "model.encoder.embed_positions.weight"};
    if (part == "target_positions") return {.name = "model.decoder.embed_positions.weight"};
    if (part == "source_embedding") return first_of({kEncoder, kShared});
    if (part == "target_embedding") return first_of({kDecoder, kOutput});
    return first_of({kShared, kDecoder, kEncoder, kOutput});
  }

  const HasArray& has_;
};

}  // namespace

Location marian_location(const model::WeightShape& weight, const HasArray& has) {
  return MarianNames(has)(weight);
}

Location hugging_face_location(const model::WeightShape& weight, const HasArray& has) {
  return HuggingFaceNames(has)(weight);
}

}  // namespace awend::interchange
