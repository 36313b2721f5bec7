#include "interchange/marian_arrays.hpp"

#include "base/concat.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/names.hpp"
#include "interchange/streamed_weights.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

// The logit of a token that is never generated.
constexpr float kNever = -1e9f;

/// An array of fp32 that is in memory.
store::MarianArray array_of(const std::string& name, std::vector<float> values) {
  const std::uint64_t columns = values.size();
  return {.values = {.name = name,
                     .shape = {1, columns},
                     .write = [values = std::move(values)](const auto& write) { write(values); }}};
}

}  // namespace

std::vector<std::uint32_t> marian_order(const text::Vocabulary& vocabulary) {
  std::vector<std::uint32_t> order{vocabulary.end_of_sentence(), vocabulary.unknown()};
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    if (id != order[0] && id != order[1]) order.push_back(id);
  }
  return order;
}

bool has_marian_output_bias(const model::Config& config) {
  return config.transformer.output_bias == Switch::kOn || !config.transformer.masked_ids.empty();
}

bool is_layer_matrix(const model::WeightShape& weight) {
  return !weight.side.empty() && weight.rows > 1 && weight.columns > 1;
}

bool is_output_matrix(const model::Config& config, const model::WeightShape& weight) {
  if (!weight.side.empty()) return false;
  switch (config.transformer.tie) {
    case model::Tie::kAll:
      return weight.part == "embedding";
    case model::Tie::kDecoder:
      return weight.part == "target_embedding";
    default:
      return weight.part == "projection";
  }
}

MarianArrays::MarianArrays(const ConvertedModel& model, MarianForm form)
    : model_(model),
      config_(model.config),
      form_(form),
      target_(marian_order(*model.vocabulary)),
      source_(model.source_vocabulary ? marian_order(*model.source_vocabulary) : target_) {
  for (const auto& weight : model::transformer_weights(config_)) add(weight);
  if (has_marian_output_bias(config_)) add_output_bias();
  // Marian always has the biases of attention.
  if (config_.transformer.attention_bias == Switch::kOn) return;
  for (std::uint32_t i = 1; i <= config_.encoder_layers; ++i)
    add_zeros(base::concat("encoder_l", i, "_self_b"));
  for (std::uint32_t i = 1; i <= config_.decoder_layers; ++i) {
    if (!model::has_ssru(config_)) add_zeros(base::concat("decoder_l", i, "_self_b"));
    add_zeros(base::concat("decoder_l", i, "_context_b"));
  }
}

void MarianArrays::add(const model::WeightShape& weight) {
  if (weight.part == "output_bias") return;  // see add_output_bias()
  const auto location = marian_location(weight, [&](std::string_view name) { return has(name); });
  auto array = streamed(model_, weight, location);
  if (weight.side.empty()) {
    // A table of the vocabulary.
    const auto& order = weight.part == "source_embedding" ? source_ : target_;
    array.write = [this, weight, is_transposed = location.order == Location::Order::kTransposed,
                   &order](const store::WriteFloats& write) {
      if (!is_transposed)
        return model_.weights.for_rows(weight.name(), weight.columns, order, write);
      std::vector<float> table;
      model_.weights.for_rows(weight.name(), weight.columns, order,
                              [&](std::span<const float> rows) {
                                table.insert(table.end(), rows.begin(), rows.end());
                              });
      write(transposed(table, weight.rows));
    };
  }
  arrays_.push_back({.values = std::move(array), .type = type_of(weight)});
  if (form_ != MarianForm::kFirefox) return;
  const auto scale = model_.activation_scales.find(weight.name());
  if (scale == model_.activation_scales.end()) return;
  add_scale(location.name, scale->second);
  if (is_output_matrix(config_, weight))
    add_scale(std::string(kMarianUnnamedMatrix), scale->second);
}

store::Type MarianArrays::type_of(const model::WeightShape& weight) const {
  const bool is_table = weight.side.empty() && weight.part.ends_with("embedding");
  const bool is_narrow = (form_ != MarianForm::kFloat32 && is_layer_matrix(weight)) ||
                         (form_ == MarianForm::kFirefox && is_table);
  return is_narrow ? store::Type::I8 : store::Type::F32;
}

void MarianArrays::add_output_bias() {
  auto bias = config_.transformer.output_bias == Switch::kOn
                  ? model_.weights.at("output_bias")
                  : std::vector<float>(config_.vocabulary);
  for (const auto id : config_.transformer.masked_ids) bias[id] = kNever;
  std::vector<float> reordered;
  for (const auto id : target_) reordered.push_back(bias[id]);
  arrays_.push_back(array_of("decoder_ff_logit_out_b", std::move(reordered)));
}

/// Whether Marian's name of a weight may be this one, of two.
bool MarianArrays::has(std::string_view name) const {
  if (name == "Wemb")
    return config_.transformer.tie == model::Tie::kAll ||
           config_.transformer.tie == model::Tie::kEmbeddings;
  if (name.ends_with("_Wt")) return false;
  if (name.find("_emb_ln_") != name.npos) return true;
  return config_.transformer.norm == model::Norm::kPre && name.find("_top_") == name.npos;
}

void MarianArrays::add_zeros(const std::string& prefix) {
  for (const char part : {'q', 'k', 'v', 'o'})
    arrays_.push_back(array_of(prefix + part, std::vector<float>(config_.d_model)));
}

void MarianArrays::add_scale(const std::string& matrix, float scale) {
  arrays_.push_back(array_of(matrix + std::string(kMarianScaleEnd), {scale}));
}

}  // namespace awend::interchange
