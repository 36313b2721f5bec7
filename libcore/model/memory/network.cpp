#include "model/memory/network.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "nn/graph.hpp"

namespace awend::model {

MemoryNetwork::MemoryNetwork(const Config& config, nn::Parameters& parameters) : config_(config) {
  validate(config);
  const auto& memory = config.memory;
  const bool is_adjacent = memory.tying == HopTying::kAdjacent;
  const auto matrix = [&](std::string name, std::uint32_t rows) {
    return parameters.add(std::move(name), rows, config.d_model, nn::Initializer::kSmallNormal);
  };
  for (std::uint32_t i = 0; i < (is_adjacent ? memory.hops + 1 : 2); ++i) {
    embeddings_.push_back(matrix(base::concat("embedding.", i), config.vocabulary));
    if (memory.temporal_encoding == Switch::kOn)
      ages_.push_back(matrix(base::concat("temporal.", i), memory.size));
  }
  if (is_adjacent) {
    question_ = embeddings_.front();
    projection_ = embeddings_.back();
  } else {
    question_ = matrix("question_embedding", config.vocabulary);
    projection_ = matrix("projection", config.vocabulary);
    between_ = matrix("hop", config.d_model);
  }
  if (memory.linear_start > 0)
    softmax_ = parameters.add_constant("softmax", 1, 1, [] { return std::vector<float>{0}; });
}

bool MemoryNetwork::is_table(const nn::Parameter& parameter) const {
  const auto is = [&](const nn::Parameter& table) { return table.index == parameter.index; };
  return std::ranges::any_of(embeddings_, is) || is(question_) || is(projection_);
}

std::vector<nn::Tensor> MemoryNetwork::memories(nn::Graph& graph,
                                                const MemoryInputs& inputs) const {
  std::vector<nn::Tensor> memories;
  for (std::size_t i = 0; i < embeddings_.size(); ++i) {
    const auto sums =
        nn::embedding_bag(graph, inputs.sentences, embeddings_[i], config_.memory.encoding);
    memories.push_back(
        ages_.empty() ? sums
                      : nn::residual(graph, sums, nn::lookup(graph, inputs.ages, ages_[i]), 0));
  }
  return memories;
}

nn::Tensor MemoryNetwork::questions(nn::Graph& graph, const nn::EmbeddingBagInputs& inputs) const {
  return nn::embedding_bag(graph, inputs, question_, config_.memory.encoding);
}

Hopped MemoryNetwork::hop(nn::Graph& graph, const HopInputs& inputs) const {
  const auto& [first, memories, keys_of_query, queries_of_key, kind] = inputs;
  const auto max_sentences =
      nn::max_step_keys(graph.program().engine(), config_.d_model, config_.d_model);
  if (config_.memory.size > max_sentences) {
    base::fail("memory-size must be at most ", max_sentences, " on this device with d-model ",
               config_.d_model, ", got ", config_.memory.size);
  }
  const bool records = kind == nn::AttentionSteps::Weights::kOutput;
  const auto steps = nn::single_step(graph.program(), first.rows);
  Hopped hopped{.state = first, .weights = {}};
  for (std::uint32_t hop = 0; hop < config_.memory.hops; ++hop) {
    const std::size_t table = between_ ? 0 : hop;
    std::optional<nn::Tensor> weights;
    const auto read = nn::attend_all(graph, hopped.state,
                                     {.keys = memories[table],
                                      .values = memories[table + 1],
                                      .additive = std::nullopt,
                                      .keys_of_query = keys_of_query,
                                      .queries_of_key = queries_of_key,
                                      .max_keys = config_.memory.size,
                                      .softmax = softmax_,
                                      .slots = config_.memory.size},
                                     steps, records ? &weights : nullptr);
    if (weights) hopped.weights.push_back(*weights);
    const auto state = between_ ? nn::linear(graph, hopped.state, *between_) : hopped.state;
    hopped.state = nn::residual(graph, state, read, 0);
  }
  return hopped;
}

}  // namespace awend::model
