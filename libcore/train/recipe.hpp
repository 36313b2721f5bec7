// The settings of training (section 5 of the paper) and the presets that choose them together with
// the model's.
//
// A Recipe decides the numbers: two runs of one recipe, model and corpus write the same bytes.  A
// Course only says how long a run lasts and how often it reports and saves.  Test:
// tests/unit/train/recipe_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/config.hpp"
#include "nn/operations.hpp"
#include "store/settings.hpp"
#include "train/schedule.hpp"

namespace awend::train {

struct Recipe {
  double learning_rate = 0;  ///< The highest; 0 is the paper's (see train/schedule.hpp).
  std::uint32_t warmup = 4000;
  Curve curve = Curve::kInverseSquareRoot;  ///< Of the rate after the warm-up.
  std::uint64_t schedule_steps = 0;         ///< Where kLinear and kCosine end; 0 for others.
  nn::AdamSettings adam;
  double clip_norm = 0;  ///< Of the gradient over all parameters; 0: none.
  std::uint32_t batch_tokens = 25000;
  std::uint32_t accumulate = 1;  ///< Batches to one update.
  std::uint64_t seed = 1;
  double ema_decay = 0;             ///< Of the moving average of the weights; 0: there is none.
  std::vector<std::string> freeze;  ///< Patterns of parameters' names that stay as they are.
  nn::Element precision = nn::Element::kFloat32;  ///< Of the operands of matrix products.
};

/// What validations are compared by.
enum class Metric { kLoss, kBleu, kChrf };

struct Course {
  std::uint64_t max_steps = 100000;
  std::uint64_t max_epochs = 0;  ///< 0: no such limit; so for the next two.
  double time_limit_minutes = 0;
  std::uint32_t early_stopping = 0;  ///< Validations in a row without a better one.
  std::uint64_t valid_every = 1000;
  std::uint32_t valid_beam = 1;  ///< Of the translations at validations; 0: there are none.
  std::uint64_t save_every = 1000;
  std::uint64_t log_every = 50;
  std::uint32_t keep = 5;               ///< Checkpoints, the newest.
  std::uint32_t keep_states = 1;        ///< Training states, the newest.
  std::uint32_t keep_best = 1;          ///< Checkpoints, those with the best validations.
  Metric best_metric = Metric::kLoss;   ///< What best means, for early stopping too.
  std::uint64_t memory_budget_mib = 0;  ///< 0: none.
};

struct Preset {
  model::Config model;  ///< Its vocabulary is 0.
  Recipe recipe;
  Course course;
};

/// base and big are the paper's; small and tiny fit corpora of Multi30k's size.  Throws Error for
/// another name.
Preset preset(std::string_view name);

/// "inverse-sqrt", "constant", "linear", "cosine"; Error lists what there is.
Curve parse_curve(std::string_view text);
std::string_view name_of(Curve curve);

/// "loss", "bleu", "chrf"; Error lists what there is.
Metric parse_metric(std::string_view text);
std::string_view name_of(Metric metric);

/// The recipe by the names of its options: "learning-rate", "batch-tokens", …
store::Settings to_settings(const Recipe& recipe);

/// Likewise the course: "max-steps", "valid-every", …
store::Settings to_settings(const Course& course);

/// Throws Error unless both say the same.  `where` is the checkpoint whose settings `then` are; the
/// message names the first option that differs.
void require_same(const store::Settings& then, const store::Settings& now,
                  const std::string& where);

}  // namespace awend::train
