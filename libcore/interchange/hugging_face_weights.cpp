#include "interchange/hugging_face_weights.hpp"

#include <span>
#include <utility>
#include <vector>

#include "interchange/foreign_weights.hpp"
#include "interchange/names.hpp"
#include "model/weight_layout.hpp"
#include "store/array_writer.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

/// The arrays of the file, and their values where they differ from the model's.
class Exporter {
 public:
  Exporter(const ConvertedModel& model, const HuggingFaceLayout& layout)
      : model_(model), config_(model.config), layout_(layout) {}

  void write(const std::string& path) {
    for (const auto& weight : model::transformer_weights(config_)) add(weight);
    if (config_.transformer.attention_bias == Switch::kOff) add_attention_biases();
    if (config_.transformer.output_bias == Switch::kOff &&
        layout_.output_bias == HuggingFaceLayout::OutputBias::kAlways)
      add_array("final_logits_bias", {1, config_.vocabulary},
                std::vector<float>(config_.vocabulary));
    std::vector<store::Array> arrays;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      arrays.push_back(
          {names_[i], store::Type::F32, shapes_[i], std::as_bytes(std::span(values_[i]))});
    }
    // Without this member, transformers do not read the file.
    store::write_arrays(path, arrays, {{"format", "pt"}});
  }

 private:
  void add(const model::WeightShape& weight) {
    const auto location = hugging_face_location(weight, [&](std::string_view name) {
      return name == (config_.transformer.tie == model::Tie::kAll
                          ? "model.shared.weight"
                          : "model.encoder.embed_tokens.weight") ||
             name == "model.decoder.embed_tokens.weight";
    });
    const auto& values = model_.weights.at(weight.name());
    if (weight.part == "source_positions" || weight.part == "target_positions")
      return add_positions(location.name, weight, values);
    if (weight.part == "output_bias") return add_array(location.name, {1, weight.rows}, values);
    if (weight.rows == 1) return add_array(location.name, {weight.columns}, values);
    if (location.order == Location::Order::kSame)
      return add_array(location.name, {weight.rows, weight.columns}, values);
    add_array(location.name, {weight.columns, weight.rows}, transposed(values, weight.rows));
  }

  void add_positions(const std::string& name, const model::WeightShape& weight,
                     const std::vector<float>& values) {
    if (config_.transformer.positions != model::Positions::kLearned) return;
    const auto unused = layout_.unused_positions;
    std::vector<float> table(std::size_t{unused} * weight.columns);
    table.insert(table.end(), values.begin(), values.end());
    add_array(name, {unused + weight.rows, weight.columns}, std::move(table));
  }

  void add_attention_biases() {
    auto biased = config_;
    biased.transformer.attention_bias = Switch::kOn;
    for (const auto& weight : model::transformer_weights(biased)) {
      if (model_.weights.contains(weight.name()) || !weight.part.ends_with("_bias")) continue;
      const auto name = hugging_face_location(weight, [](std::string_view) { return true; }).name;
      add_array(name, {weight.columns}, std::vector<float>(weight.columns));
    }
  }

  void add_array(const std::string& name, std::vector<std::uint64_t> shape,
                 std::vector<float> values) {
    names_.push_back(name);
    shapes_.push_back(std::move(shape));
    values_.push_back(std::move(values));
  }

  const ConvertedModel& model_;
  const model::Config& config_;
  const HuggingFaceLayout& layout_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::uint64_t>> shapes_;
  std::vector<std::vector<float>> values_;
};

}  // namespace

void write_hugging_face_weights(const std::string& path, const ConvertedModel& model,
                                const HuggingFaceLayout& layout) {
  Exporter(model, layout).write(path);
}

}  // namespace awend::interchange
