// One pass of a model over a packed batch: forward, and backward in training.  It is recorded once
// and replayed for every batch.
//
// Training, validation and forced scoring share it.  Test: tests/learn/gradient_test.cpp,
// tests/learn/forced_test.cpp, tests/learn/overfit_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "batch/packed_batch.hpp"
#include "forward/losses.hpp"
#include "model/model.hpp"
#include "nn/graph.hpp"
#include "nn/program.hpp"
#include "nn/shader_types.hpp"

namespace awend::forward {

struct PassSettings {
  std::uint32_t rows;  ///< The most rows of a batch on either side.
  nn::Mode mode = nn::Mode::kInference;
  model::BatchSettings::Loss loss = model::BatchSettings::Loss::kTotals;
  model::BatchSettings::Attention attention = model::BatchSettings::Attention::kNone;
  std::uint32_t longest = 0;  ///< Tokens of the longest sentence, its end included; 0: unknown.
  std::optional<nn::GuidedAlignment> guided_alignment = {};  ///< In training.
};

class Pass {
 public:
  /// Declares the pass; compile() records it.  It computes with the parameters as they are at each
  /// replay, and in training adds to the gradients of all parameters.  Engine and model must
  /// outlive the object.
  Pass(nn::Engine& engine, const model::ModelView& model, const PassSettings& settings);
  ~Pass();

  /// The bytes of device memory that compile() will allocate.  Throws Error if a limit of the
  /// device does not allow this many rows.
  std::uint64_t plan() { return program_.plan(); }
  void compile(vulkan::Timing timing = vulkan::Timing::kOff) { program_.compile(timing); }
  nn::Program& program() { return program_; }
  std::uint32_t rows() const { return rows_; }

  /// Whether the model also has a loss of classes of sentences.
  bool has_sentence_loss() const { return sentence_loss_.has_value(); }
  /// Writes a batch: inputs, counts, and in training the scalars of the step; the loss of sentences
  /// has a loss_scale of its own.  Throws Error if the batch has more rows than the settings allow.
  void write(const batch::PackedBatch& batch, const nn::StepScalars& scalars = {},
             float sentence_loss_scale = 0);
  /// Runs the pass over the batch written last and waits.
  void replay() {
    begin();
    program_.replay();
  }
  /// The same without waiting.
  void submit() {
    begin();
    program_.submit([](std::size_t) {});
  }
  void wait() { program_.wait(); }
  /// For a caller that runs the program itself: the batch written last is that of losses().
  void begin() { run_ = written_; }

  /// Whether the next batch may be written while a submitted pass runs: in training, on a device
  /// that does not share the memory of the host.
  bool writes_ahead() const { return program_.stages_inputs(); }
  /// Replaces the scalars of the batch written last.
  void write_scalars(const nn::StepScalars& scalars, float sentence_loss_scale);

  /// Of the last pass that has finished.
  Losses losses() const;
  /// ln P of a target token, by its row in the batch.  Requires: Loss::kTokens.
  float log_probability(std::uint32_t row) const;
  /// Requires: Attention::kRecorded.
  std::span<const model::AttentionOutput> attentions() const { return inputs_->attentions(); }
  /// With nn::FakeQuantization::kCalibrating: outputs of program().
  const std::vector<nn::LeftMagnitudes>& left_magnitudes() const {
    return graph_->left_magnitudes();
  }

 private:
  std::uint32_t rows_;
  nn::Program program_;
  std::unique_ptr<nn::Graph> graph_;
  std::unique_ptr<model::BatchLoss> inputs_;
  nn::Loss loss_;
  std::optional<nn::Loss> sentence_loss_;
  std::optional<nn::Loss> alignment_cost_;
  double alignment_weight_;
  std::optional<nn::Tensor> step_scalars_;  // in training
  struct Counts {
    std::uint32_t target_rows = 0;
    std::uint32_t sentences = 0;
  };
  Counts written_, run_;  // of the batches written last and run last
};

/// Writes the scalars of a step to an input of (1, 16).
void write_scalars(const nn::Program& program, const nn::Tensor& tensor,
                   const nn::StepScalars& scalars);

}  // namespace awend::forward
