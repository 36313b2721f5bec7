// The model over one batch: forward, and in training backward too; recorded once, replayed for
// every batch.
#pragma once

#include <memory>

#include "data/batch.hpp"
#include "model/seq2seq.hpp"
#include "nn/graph.hpp"
#include "nn/shader_types.hpp"
#include "train/shared_gradients.hpp"

namespace awend::train {

/// Sums over tokens, so that batches add up.
struct Losses {
  double smoothed = 0;
  double negative_log_likelihood = 0;
  std::uint64_t tokens = 0;  ///< Of the target, ends of sentences counted.

  Losses& operator+=(const Losses& other);
  /// Means over tokens.
  double loss() const { return smoothed / static_cast<double>(tokens); }
  double perplexity() const;
};

class Pass {
 public:
  /// Compiles the pass.  Batches may have up to `rows` rows on either side.  In training the
  /// gradients of all parameters are added to.  `ranks`, null if the process is alone, share them.
  Pass(nn::Engine& engine, nn::Parameters& parameters, const model::Seq2Seq& seq2seq,
       std::uint32_t rows, nn::Mode mode, Ranks* ranks = nullptr);

  /// The bytes of device memory that such a pass takes.  Throws Error if the device's limits do not
  /// allow so many rows.
  static std::uint64_t bytes(nn::Engine& engine, nn::Parameters& parameters,
                             const model::Seq2Seq& seq2seq, std::uint32_t rows, nn::Mode mode);

  Losses run(const data::Batch& batch, const nn::StepScalars& scalars);
  /// The same for the last pass of an update: sums the gradients over all ranks meanwhile.
  Losses run_last(const data::Batch& batch, const nn::StepScalars& scalars);
  /// Likewise where no pass is this rank's.
  void run_none();

 private:
  struct Unplanned {};
  void feed_all(const data::Batch& batch, const nn::StepScalars& scalars);
  Losses losses(const data::Batch& batch) const;
  Pass(Unplanned, nn::Engine& engine, nn::Parameters& parameters, const model::Seq2Seq& seq2seq,
       std::uint32_t rows, nn::Mode mode);

  nn::Program program_;
  nn::Graph graph_;
  std::unique_ptr<model::TeacherForcing> inputs_;
  nn::ChunkedLoss loss_;
  nn::Tensor step_scalars_;
  std::unique_ptr<SharedGradients> shared_;  // null if the process is alone
};

/// Writes the scalars of the step into an input of (1, 16).
void write_scalars(const nn::Program& program, const nn::Tensor& tensor,
                   const nn::StepScalars& scalars);

}  // namespace awend::train
