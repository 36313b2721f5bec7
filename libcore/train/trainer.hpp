// One update of the parameters (section 5 of the paper): gradients of one or several batches, then
// the optimizer.
//
// An update with a gradient that is not finite is skipped and counted.  Test:
// tests/learn.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "batch/packed_batch.hpp"
#include "data/update_stream.hpp"
#include "forward/pass.hpp"
#include "train/ranks/shared_gradients.hpp"
#include "train/recipe.hpp"
#include "train/schedule.hpp"
#include "train/trained_model.hpp"
#include "train/update.hpp"

namespace awend::train {

struct TrainerSettings {
  std::uint32_t pass_rows;    ///< The most rows of a pass on either side.
  std::uint32_t longest = 0;  ///< Tokens of the longest sentence, its end included; 0: unknown.
  Ranks* ranks = nullptr;     ///< That train together; null for a single process.
  /// Whether updates have alignments, which recipe.guided_alignment weights.
  bool has_alignments = false;
};

class Trainer {
 public:
  /// Compiles the training pass and the optimizer.  Model and ranks must outlive the trainer.
  Trainer(nn::Engine& engine, TrainedModel& model, const Recipe& recipe,
          const TrainerSettings& settings);
  /// Creates its own model, and passes of recipe.batch_tokens rows.
  Trainer(nn::Engine& engine, const model::Config& config, const Recipe& recipe);
  ~Trainer();

  /// The device memory of the optimizer of a trainer, without the gradients and moments.
  static std::uint64_t optimizer_bytes(nn::Engine& engine, TrainedModel& model,
                                       const Recipe& recipe);

  /// One update from the gradients of the passes of all ranks; `own` are those of this rank.  The
  /// loss is the mean over all target tokens, plus the mean over all sentences if they have one.
  Update update(const data::PackedUpdate& own);
  /// The same.  On a device that does not share the memory of the host, calls `next` while the last
  /// pass runs, and writes the first pass of the next update, which must be the one that follows.
  using NextUpdate = std::function<const data::PackedUpdate&()>;
  Update update(const data::PackedUpdate& own, const NextUpdate& next);
  /// The same for a single process.
  Update update(std::vector<batch::PackedBatch> passes);

  TrainedModel& model() { return model_; }
  nn::Parameters& parameters() { return model_.parameters(); }
  const UpdateCounts& counts() const { return counts_; }
  void set_counts(const UpdateCounts& counts) { counts_ = counts; }
  /// The learning rate of the last update; 0 before the first one.
  double rate() const { return counts_.step > 0 ? schedule_.rate(counts_.step) : 0; }

 private:
  Trainer(nn::Engine& engine, std::unique_ptr<TrainedModel> model, const Recipe& recipe);
  /// What kernels of one update read: the scalars, and the loss scale of sentences.
  struct UpdateScalars {
    nn::StepScalars step;
    float sentence_loss_scale;
  };
  UpdateScalars scalars(std::uint64_t step, const data::PackedUpdate& own) const;
  forward::Losses run_passes(const data::PackedUpdate& own, const UpdateScalars& scalars,
                             const NextUpdate& next);
  void write_ahead(const NextUpdate& next);

  Recipe recipe_;
  Schedule schedule_;
  std::unique_ptr<TrainedModel> own_model_;  // if the trainer created it
  TrainedModel& model_;
  Ranks* ranks_;
  forward::Pass pass_;
  std::unique_ptr<SharedGradients> shared_gradients_;  // null if there is one rank
  nn::Program optimizer_program_;
  std::unique_ptr<nn::Graph> optimizer_graph_;
  nn::Tensor optimizer_scalars_;
  nn::Tensor squared_norm_;
  UpdateCounts counts_;
  const data::PackedUpdate* written_ = nullptr;  // the update whose first pass was written ahead
};

}  // namespace awend::train
