#include "interchange/hugging_face_weights.hpp"

#include <utility>
#include <vector>

#include "interchange/names.hpp"
#include "interchange/streamed_weights.hpp"
#include "model/weight_layout.hpp"
#include "store/array.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

/// The arrays of the file.
class Exporter {
 public:
  Exporter(const ConvertedModel& model, const HuggingFaceLayout& layout)
      : model_(model), config_(model.config), layout_(layout) {}

  void write(const std::string& path) {
    for (const auto& weight : model::transformer_weights(config_)) add(weight);
    if (config_.transformer.attention_bias == Switch::kOff) add_attention_biases();
    if (config_.transformer.output_bias == Switch::kOff &&
        layout_.output_bias == HuggingFaceLayout::OutputBias::kAlways)
      add_zeros("final_logits_bias", {1, config_.vocabulary});
    // Without this member, transformers do not read the file.
    store::write_arrays(path, arrays_, {{"format", "pt"}});
  }

 private:
  void add(const model::WeightShape& weight) {
    const auto location = hugging_face_location(weight, [&](std::string_view name) {
      return name == (config_.transformer.tie == model::Tie::kAll
                          ? "model.shared.weight"
                          : "model.encoder.embed_tokens.weight") ||
             name == "model.decoder.embed_tokens.weight";
    });
    auto array = streamed(model_, weight, location);
    if (weight.part == "source_positions" || weight.part == "target_positions")
      return add_positions(std::move(array));
    if (weight.part == "output_bias") array.shape = {1, weight.rows};
    if (weight.rows == 1) array.shape = {weight.columns};
    if (weight.part == "embedding" && config_.transformer.tie == model::Tie::kEmbeddings)
      return add_copies(array);
    arrays_.push_back(std::move(array));
  }

  /// transformers tie embeddings only together with the output, and initialize what is missing.
  void add_copies(store::StreamedArray array) {
    for (const char* name : {"model.shared.weight", "model.encoder.embed_tokens.weight",
                             "model.decoder.embed_tokens.weight"}) {
      array.name = name;
      arrays_.push_back(array);
    }
  }

  void add_positions(store::StreamedArray array) {
    if (config_.transformer.positions != model::Positions::kLearned) return;
    const auto unused = layout_.unused_positions;
    array.shape[0] += unused;
    array.write = [unused, columns = array.shape[1],
                   write_rows = array.write](const store::WriteFloats& write) {
      write(std::vector<float>(unused * columns));
      write_rows(write);
    };
    arrays_.push_back(std::move(array));
  }

  void add_attention_biases() {
    auto biased = config_;
    biased.transformer.attention_bias = Switch::kOn;
    for (const auto& weight : model::transformer_weights(biased)) {
      if (model_.weights.contains(weight.name()) || !weight.part.ends_with("_bias")) continue;
      const auto name = hugging_face_location(weight, [](std::string_view) { return true; }).name;
      add_zeros(name, {weight.columns});
    }
  }

  void add_zeros(const std::string& name, std::vector<std::uint64_t> shape) {
    const auto count = store::count_of(shape);
    arrays_.push_back({name, std::move(shape), [count](const store::WriteFloats& write) {
                         write(std::vector<float>(count));
                       }});
  }

  const ConvertedModel& model_;
  const model::Config& config_;
  const HuggingFaceLayout& layout_;
  std::vector<store::StreamedArray> arrays_;
};

}  // namespace

void write_hugging_face_weights(const std::string& path, const ConvertedModel& model,
                                const HuggingFaceLayout& layout) {
  Exporter(model, layout).write(path);
}

}  // namespace awend::interchange
