// The names of the arrays of BERT of Hugging Face.
#include <map>

#include "base/concat.hpp"
#include "interchange/hugging_face_bert.hpp"
#include "interchange/transformer_settings.hpp"

namespace awend::interchange {
namespace {

using Names = std::map<std::string, std::string, std::less<>>;
using Order = Location::Order;

// Our names after that of the layer, without "_bias" and the part of a normalization.
const Names kOfLayer = {
    {"self.query", "attention.self.query"},      {"self.key", "attention.self.key"},
    {"self.value", "attention.self.value"},      {"self.output", "attention.output.dense"},
    {"self_norm", "attention.output.LayerNorm"}, {"feed_forward.inner", "intermediate.dense"},
    {"feed_forward.outer", "output.dense"},      {"feed_forward_norm", "output.LayerNorm"},
};
const Names kTables = {
    {"embedding", "embeddings.word_embeddings.weight"},
    {"positions", "embeddings.position_embeddings.weight"},
    {"segments", "embeddings.token_type_embeddings.weight"},
};
const Names kHeads = {
    {"masked.dense", "cls.predictions.transform.dense"},
    {"masked.norm", "cls.predictions.transform.LayerNorm"},
    {"next_sentence", "cls.seq_relationship"},
    {"classifier", "classifier"},
    {"span", "qa_outputs"},
};

/// The files of a BertModel without heads have no prefix.
std::string prefix_of(const HasArray& has) {
  return has(kTables.at("embedding")) ? "" : "bert.";
}

/// The earliest files of BERT have the names of TensorFlow for normalizations.
Location norm(const std::string& name, std::string_view part, const HasArray& has) {
  const bool is_gain = part == "gain";
  const auto old_name = name + (is_gain ? ".gamma" : ".beta");
  return {.name = has(old_name) ? old_name : name + (is_gain ? ".weight" : ".bias")};
}

/// A weight by their name of the dense layer or normalization, and by ours.
Location part_of_layer(const std::string& name, const std::string& part, const HasArray& has) {
  const auto end = part.substr(part.rfind('.') + 1);
  if (end == "gain" || end == "bias") return norm(name, end, has);
  if (part.ends_with("_bias")) return {.name = name + ".bias"};
  // Classifiers are stored as tables, with a row for each class.
  const bool is_classifier = part.find('.') == part.npos;
  return {.name = name + ".weight", .order = is_classifier ? Order::kSame : Order::kTransposed};
}

/// Our name without what part_of_layer() adds.
std::string stem_of(const std::string& part) {
  for (const char* end : {"_bias", ".gain", ".bias"}) {
    if (const auto stem = without_end(part, end)) return *stem;
  }
  return part;
}

}  // namespace

Location bert_location(const model::WeightShape& weight, const HasArray& has) {
  const auto& part = weight.part;
  const auto prefix = prefix_of(has);
  if (weight.layer) {
    const auto layer = base::concat(prefix, "encoder.layer.", *weight.layer, ".");
    return part_of_layer(layer + kOfLayer.at(stem_of(part)), part, has);
  }
  if (!weight.side.empty()) return part_of_layer(prefix + "embeddings.LayerNorm", part, has);
  if (const auto table = kTables.find(part); table != kTables.end())
    return {.name = prefix + table->second};
  if (part == "masked.bias") {
    constexpr const char* kCopy = "cls.predictions.decoder.bias";
    const std::string name = "cls.predictions.bias";
    return {.name = !has(name) && has(kCopy) ? kCopy : name};
  }
  if (part.starts_with("pooler.")) return part_of_layer(prefix + "pooler.dense", part, has);
  return part_of_layer(kHeads.at(stem_of(part)), part, has);
}

bool is_bert_vector(const model::WeightShape& weight) {
  return stem_of(weight.part) != weight.part;
}

}  // namespace awend::interchange
