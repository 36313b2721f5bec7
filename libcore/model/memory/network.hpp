// An end-to-end memory network (Sukhbaatar et al., 2015), written forward only; nn derives the
// backward pass.
//
// Each sentence of a story is a memory: the sum of the embeddings of its words.  A state, at first
// the sum of the embeddings of the question, attends to the memories in several hops.  The answer
// is one token, predicted from the last state; the end of the line follows it with probability 1.
//
// A memory that a story has too few sentences for is a vector of zeros to which the softmax attends
// too, as in the program of the authors.  A state can thus ignore all sentences.
#pragma once

#include <optional>
#include <vector>

#include "model/config.hpp"
#include "nn/embedding_bag.hpp"
#include "nn/recurrent/lookup.hpp"
#include "nn/recurrent/step_attention.hpp"

namespace awend::model {

/// The inputs for the memories of a batch.
struct MemoryInputs {
  nn::Count memories;
  nn::EmbeddingBagInputs sentences;  ///< A bag for each memory.
  nn::LookupInputs ages;             ///< (memories, 1): 0 is the sentence before the question.
};

/// The inputs of hops.
struct HopInputs {
  nn::Tensor state;                  ///< (rows, d_model)
  std::vector<nn::Tensor> memories;  ///< By table, (memories, d_model).
  nn::Tensor keys_of_query;          ///< See nn::AttentionMemory.
  nn::Tensor queries_of_key;
  nn::AttentionSteps::Weights weights;
};

struct Hopped {
  nn::Tensor state;                 ///< (rows, d_model)
  std::vector<nn::Tensor> weights;  ///< By hop (rows, memory size), if they are an output.
};

class MemoryNetwork {
 public:
  /// Declares the parameters, by name ("embedding.0", …).  Throws Error if the settings are
  /// invalid.
  MemoryNetwork(const Config& config, nn::Parameters& parameters);

  const Config& config() const { return config_; }
  const nn::Parameter& projection() const { return projection_; }
  bool is_table(const nn::Parameter& parameter) const;
  /// (1, 1): 0 while hops have no softmax.  Only with linear start.
  const std::optional<nn::Parameter>& softmax() const { return softmax_; }
  /// The number of tables, each of which gives other memories of the same sentences.
  std::size_t tables() const { return embeddings_.size(); }

  /// The memories by table.
  std::vector<nn::Tensor> memories(nn::Graph& graph, const MemoryInputs& inputs) const;
  /// The sums of the embeddings of questions, (bags, d_model).
  nn::Tensor questions(nn::Graph& graph, const nn::EmbeddingBagInputs& inputs) const;
  Hopped hop(nn::Graph& graph, const HopInputs& inputs) const;

 private:
  Config config_;
  // Adjacent tying: hop k attends to keys of table k and values of table k + 1.  Layer-wise tying:
  // all hops attend to keys of table 0 and values of table 1.
  std::vector<nn::Parameter> embeddings_, ages_;
  nn::Parameter question_, projection_;
  std::optional<nn::Parameter> between_;  // layer-wise: the map of the state between hops
  std::optional<nn::Parameter> softmax_;
};

}  // namespace awend::model
