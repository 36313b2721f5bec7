// The settings of training (section 5 of the paper), and presets of them together with the settings
// of the model.
//
// A Recipe determines the results: two runs with the same recipe, model and corpus write the same
// bytes.  A RunLimits determines how long a run lasts, and how often it reports and saves.
// Test: tests/unit/train/recipe_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/field.hpp"
#include "model/config.hpp"
#include "nn/element.hpp"
#include "nn/initializer.hpp"
#include "nn/operation_settings.hpp"
#include "store/stored_settings.hpp"
#include "train/schedule.hpp"
#include "train/scores.hpp"

namespace awend::train {

enum class Optimizer { kAdam, kMuon, kSgd };

/// The numbers that products compute with after training.
enum class Quantize { kNone, kInt8 };

struct Recipe {
  Optimizer optimizer = Optimizer::kAdam;
  double learning_rate = 0;  ///< Peak; 0: that of the paper (see train/schedule.hpp).
  std::uint32_t warmup = 4000;
  Curve curve = Curve::kInverseSquareRoot;  ///< Of the learning rate after the warmup.
  std::uint64_t schedule_steps = 0;         ///< See Schedule::end; 0 for curves without it.
  nn::AdamSettings adam;
  double muon_momentum = nn::MuonSettings().momentum;
  double clip_norm = 0;  ///< Maximum norm of the whole gradient; 0: no clipping.
  std::uint32_t batch_tokens = 25000;
  std::uint32_t batch_sentences = 0;  ///< Maximum pairs of a batch; 0: no limit.
  std::uint32_t accumulate = 1;       ///< Batches per update.
  std::uint64_t seed = 1;
  nn::InitialDistribution initializer = {};
  double ema_decay = 0;             ///< Decay of the moving average of the weights; 0: no average.
  std::vector<std::string> freeze;  ///< Patterns for the names of parameters that are not trained.
  nn::Element precision = nn::Element::kFloat32;  ///< Of the operands of matrix products.
  Quantize quantize = Quantize::kNone;            ///< kInt8: trains with fake quantization.
  nn::GuidedAlignment guided_alignment = {};      ///< If the corpora have alignments.
};

struct RunLimits {
  std::uint64_t max_steps = 100000;
  std::uint64_t max_epochs = 0;      ///< 0: no limit.
  double time_limit_minutes = 0;     ///< 0: no limit.
  std::uint32_t early_stopping = 0;  ///< Validations without improvement; 0: no limit.
  std::uint64_t valid_every = 1000;  ///< Updates.
  std::uint32_t valid_beam = 1;      ///< Beam size at validations; 0: no translation.
  std::uint64_t save_every = 1000;   ///< Updates.
  std::uint64_t log_every = 50;      ///< Updates.
  std::uint32_t keep = 5;            ///< Newest checkpoints.
  std::uint32_t keep_states = 1;     ///< Newest training states.
  std::uint32_t keep_best = 1;       ///< Checkpoints with the best validations.
  ValidationMetric best_metric = ValidationMetric::kLoss;  ///< For keep_best and early_stopping.
  std::uint64_t memory_budget_mib = 0;                     ///< 0: all available memory.
};

struct Preset {
  model::Config model;  ///< vocabulary is 0.
  Recipe recipe;
  RunLimits limits;
};

/// base and big are those of the paper; small, tiny, rnn-small and rnn-tiny are for corpora as
/// large as Multi30k; for the others, see model::preset().  Throws Error for another name.
Preset preset(std::string_view name);

/// Descriptions of all settings: their names, help texts, and the values that they accept.
std::span<const base::Field<Recipe>> recipe_fields();
std::span<const base::Field<RunLimits>> limit_fields();

/// The settings of the recipe by name, as training states carry them: "learning-rate", …
store::Settings to_settings(const Recipe& recipe);

/// The recipe with which a run with the settings `then` resumes: if both they and the user, who
/// gave the options `requested`, leave out a setting that presets did not have when the run began,
/// the run keeps its default.
Recipe resumed(Recipe recipe, const store::Settings& then,
               const std::vector<std::string>& requested);

/// Throws Error unless both settings are the same.  `where` is the checkpoint with the settings
/// `then`; the message names the first setting that differs.
void require_same(const store::Settings& then, const store::Settings& now,
                  const std::string& where);

}  // namespace awend::train
