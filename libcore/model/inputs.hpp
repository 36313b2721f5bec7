// What kernels read of a batch: input tensors that the host fills before each replay.  data::Batch
// has arrays of the same names and shapes; decode::feed copies them.
#pragma once

#include <optional>

#include "model/config.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"

namespace awend::model {

/// The most that one batch may hold.
struct Capacity {
  std::uint32_t source_rows;
  std::uint32_t target_rows;
};

struct SourceInputs {
  nn::Count rows;
  nn::EmbeddingInputs embedding;
  nn::AttentionRanges self;  ///< Both ranges are data::Batch::encoder_rows, one tensor.
};

struct TargetInputs {
  nn::Count rows;
  nn::EmbeddingInputs embedding;  ///< ids are data::Batch::target_input_ids
  nn::AttentionRanges self;       ///< causal_keys, causal_queries
  nn::AttentionRanges cross;      ///< cross_keys (target rows, 2), cross_queries (source rows, 2)
  nn::Tensor targets;             ///< target_output_ids
};

struct BatchInputs {
  SourceInputs source;
  TargetInputs target;
};

/// Declares the inputs of the encoder.
SourceInputs declare_source_inputs(nn::Graph& graph, const Config& config, std::uint32_t rows);

/// Declares all inputs of a batch.  In inference the tensors that only gradients need are left out
/// (by_id, by_position) or share memory (queries_of_key).
BatchInputs declare_inputs(nn::Graph& graph, const Config& config, const Capacity& capacity);

}  // namespace awend::model
