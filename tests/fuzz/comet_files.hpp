// The smallest metrics of COMET, as files in memory.
#pragma once

#include <map>
#include <string>

#include "interchange/comet.hpp"
#include "tests/foreign_files.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"

namespace awend::tests {

using CometContents = std::map<std::string, std::string>;

/// hparams.yaml, model.ckpt, config.json and sentencepiece.bpe.model.
inline CometContents comet_contents(const std::string& identifier = "regression_metric") {
  constexpr std::int32_t kSize = 4;
  const std::int32_t features = identifier == "regression_metric" ? 6
                                : identifier == "unified_metric"  ? 1
                                                                  : 4;
  Entries tensors;
  Storages storages;
  const auto add = [&](const std::string& name, const std::vector<std::int32_t>& shape,
                       float first) {
    std::int32_t count = 1;
    for (const auto size : shape) count *= size;
    std::vector<float> values;
    for (std::int32_t i = 0; i < count; ++i) values.push_back(first + static_cast<float>(i));
    const auto key = std::to_string(storages.size());
    tensors.emplace_back(name,
                         pickled::tensor(key, shape,
                                         shape.size() == 2 ? std::vector<std::int32_t>{shape[1], 1}
                                                           : std::vector<std::int32_t>{1}));
    storages.emplace_back(key, values);
  };
  const auto add_dense = [&](const std::string& name, std::int32_t inputs, std::int32_t outputs) {
    add(name + ".weight", {outputs, inputs}, 0);
    add(name + ".bias", {outputs}, 0.5f);
  };
  const auto add_norm = [&](const std::string& name) {
    add(name + ".weight", {kSize}, 1);
    add(name + ".bias", {kSize}, 0);
  };
  const std::string embeddings = "encoder.model.embeddings.",
                    layer = "encoder.model.encoder.layer.0.";
  add(embeddings + "word_embeddings.weight", {10, kSize}, 0);
  add(embeddings + "position_embeddings.weight", {10, kSize}, 0);
  add(embeddings + "token_type_embeddings.weight", {1, kSize}, 0);
  add_norm(embeddings + "LayerNorm");
  for (const char* part : {"attention.self.query", "attention.self.key", "attention.self.value",
                           "attention.output.dense", "intermediate.dense", "output.dense"})
    add_dense(layer + part, kSize, kSize);
  add_norm(layer + "attention.output.LayerNorm");
  add_norm(layer + "output.LayerNorm");
  add("layerwise_attention.gamma", {1}, 3);
  add("layerwise_attention.scalar_parameters.0", {1}, 0);
  add("layerwise_attention.scalar_parameters.1", {1}, 0.5f);
  add_dense("estimator.ff.0", features * kSize, 3);
  add_dense("estimator.ff.3", 3, 2);
  add_dense("estimator.ff.6", 2, 1);
  return {
      {"model.ckpt",
       torch_zip_of(pickled::dictionary({{"state_dict", pickled::dictionary(tensors)}}), storages)},
      {"hparams.yaml", "activations: Tanh\nclass_identifier: " + identifier +
                           "\nencoder_model: XLM-RoBERTa\nfinal_activation: null\n"
                           "hidden_sizes:\n- 3\n- 2\nlayer: mix\nlayer_norm: false\n"
                           "layer_transformation: sparsemax\npool: avg\nloss: mse\n"},
      {"config.json",
       R"({"model_type": "xlm-roberta", "vocab_size": 10, "hidden_size": 4,)"
       R"( "intermediate_size": 4, "num_attention_heads": 1, "num_hidden_layers": 1,)"
       R"( "max_position_embeddings": 10, "hidden_act": "gelu", "layer_norm_eps": 1e-05,)"
       R"( "type_vocab_size": 1, "pad_token_id": 1})"},
      {"sentencepiece.bpe.model", small_model(ModelKind::kUnigram)}};
}

inline interchange::ConvertedModel read_comet(const CometContents& contents) {
  interchange::ModelFiles files(contents);
  return interchange::read_comet({files, files, files});
}

}  // namespace awend::tests
