// One update of the parameters (section 5 of the paper): gradients of one or several batches, then
// Adam.
//
// An update whose gradient is not a number, or infinite, changes nothing and is counted.  Test:
// tests/learn.
#pragma once

#include <memory>
#include <span>

#include "data/update_stream.hpp"
#include "forward/pass.hpp"
#include "train/loss_scale.hpp"
#include "train/recipe.hpp"
#include "train/schedule.hpp"
#include "train/shared_gradients.hpp"
#include "train/trained_model.hpp"

namespace awend::train {

/// What is counted from the first update on, and kept in checkpoints.
struct Progress {
  std::uint64_t step = 0;     ///< Updates done, those that changed nothing counted too.
  std::uint64_t learned = 0;  ///< Updates that Adam's moments have seen.
  std::uint64_t skipped = 0;  ///< Updates that changed nothing.
  /// The last so many, those left out that only met too large a scale of the loss.
  std::uint64_t skipped_in_row = 0;
  LossScale scale = {};
};

struct Update {
  forward::Losses losses = {};
  double rate = 0;
  double gradient_norm = 0;  ///< Before clipping; not finite if the update changed nothing.
  bool applied() const;
};

class Trainer {
 public:
  /// Compiles the training pass, of at most `pass_rows` rows a side, and Adam.  The model must
  /// outlive the trainer, and so must `ranks`, null if the process is alone, who train together.
  Trainer(nn::Engine& engine, TrainedModel& model, const Recipe& recipe, std::uint32_t pass_rows,
          Ranks* ranks = nullptr);
  /// With a model of its own, and passes of recipe.batch_tokens rows.
  Trainer(nn::Engine& engine, const model::Config& config, const Recipe& recipe);

  /// One update from the gradients of all ranks' passes, of which `own` are this one's.  The loss
  /// is the mean over all their target tokens.
  Update update(const data::PackedUpdate& own);
  /// The same where `passes` are all of it.
  Update update(std::vector<data::Batch> passes);

  TrainedModel& model() { return model_; }
  nn::Parameters& parameters() { return model_.parameters(); }
  const model::Seq2Seq& seq2seq() const { return model_.seq2seq(); }
  const Progress& progress() const { return progress_; }
  void set_progress(const Progress& progress) { progress_ = progress; }

 private:
  Trainer(nn::Engine& engine, std::unique_ptr<TrainedModel> model, const Recipe& recipe);
  nn::StepScalars scalars(std::uint64_t target_tokens) const;
  forward::Losses run_passes(const data::PackedUpdate& own, const nn::StepScalars& scalars);

  Recipe recipe_;
  Schedule schedule_;
  std::unique_ptr<TrainedModel> own_model_;  // if it is the trainer's own
  TrainedModel& model_;
  Ranks* ranks_;
  forward::Pass pass_;
  std::unique_ptr<SharedGradients> shared_gradients_;  // null if there is one rank
  nn::Program adam_program_;
  nn::Graph adam_graph_;
  nn::Tensor adam_scalars_;
  nn::Tensor squared_norm_;
  Progress progress_;
};

}  // namespace awend::train
