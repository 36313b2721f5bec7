// The decoder one token at a time (section 3.1's decoder with its keys and values kept), for
// translation.
//
// The self-attention cache of a layer has one row for each token of a hypothesis; the
// cross-attention cache has one row for each source token, filled by the encoder's program when a
// sentence comes in.  Where a row lies is the host's business: sentences come and go.
#pragma once

#include <vector>

#include "model/transformer.hpp"
#include "nn/decoding.hpp"

namespace awend::model {

/// Device memory that lives from step to step: for each layer, rows of keys and rows of values.
class KeyValueCache {
 public:
  KeyValueCache(nn::Engine& engine, const Config& config, std::uint32_t rows);
  /// (rows, heads · d_k)
  nn::Tensor keys(nn::Program& program, std::uint32_t layer) const;
  /// (rows, heads · d_v)
  nn::Tensor values(nn::Program& program, std::uint32_t layer) const;

 private:
  std::vector<nn::RowCache> keys_;
  std::vector<nn::RowCache> values_;
};

/// What the host writes before each step.
struct StepInputs {
  nn::Count rows;                 ///< Hypotheses.
  nn::EmbeddingInputs embedding;  ///< Last token of each, and its position.
  nn::Ancestors ancestors;   ///< Which cache rows are each hypothesis's own past, itself included.
  nn::Tensor places;         ///< (rows, 1): the cache row of each hypothesis's last token.
  nn::Tensor source_ranges;  ///< (rows, 2): the source rows of each hypothesis's sentence.
};

StepInputs declare_step_inputs(nn::Program& program, std::uint32_t rows,
                               std::uint32_t table_entries);

/// Appends the encoder and, for each decoder layer, the keys and values of encoder-decoder
/// attention into the rows `places`, (source rows, 1), of `cross`.
void fill_cross_cache(nn::Graph& graph, const Transformer& transformer, const SourceInputs& inputs,
                      const nn::Tensor& places, const KeyValueCache& cross);

/// Appends one decoding step; returns the decoder's output, (rows, d_model).  Positions are below
/// `longest`.
nn::Tensor decode_step(nn::Graph& graph, const Transformer& transformer, const StepInputs& inputs,
                       const KeyValueCache& self, const KeyValueCache& cross,
                       std::uint32_t longest);

}  // namespace awend::model
