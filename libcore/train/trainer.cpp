#include "train/trainer.hpp"

#include <cmath>

#include "base/random.hpp"

namespace awend::train {
namespace {

Schedule schedule_of(const model::Config& config, const Recipe& recipe) {
  const double peak = recipe.learning_rate > 0
                          ? recipe.learning_rate
                          : Schedule::paper_peak(config.d_model, recipe.warmup);
  return {.peak = peak,
          .warmup = static_cast<double>(recipe.warmup),
          .curve = recipe.curve,
          .end = static_cast<double>(recipe.schedule_steps)};
}

std::uint64_t target_tokens(std::span<const data::Batch> batches) {
  std::uint64_t sum = 0;
  for (const auto& batch : batches) sum += batch.target_rows();
  return sum;
}

}  // namespace

bool Update::applied() const {
  return std::isfinite(gradient_norm);
}

Trainer::Trainer(nn::Engine& engine, const model::Config& config, const Recipe& recipe)
    : recipe_(recipe),
      schedule_(schedule_of(config, recipe)),
      transformer_(config, parameters_),
      adam_program_(engine),
      adam_graph_(adam_program_, parameters_, nn::Mode::kTraining) {
  parameters_.allocate(engine, nn::Use::kTraining, recipe.precision);
  parameters_.initialise(recipe.seed);
  progress_.scale = first_scale(recipe.precision);
  pass_ = std::make_unique<Pass>(engine, parameters_, transformer_, recipe.batch_tokens,
                                 nn::Mode::kTraining);
  adam_scalars_ = adam_graph_.step_scalars();
  squared_norm_ = nn::adam(adam_graph_, parameters_, recipe.adam);
  adam_program_.compile();
}

Update Trainer::update(std::span<const data::Batch> batches) {
  ++progress_.step;
  nn::StepScalars step_scalars = scalars(target_tokens(batches));
  Update update;
  update.rate = step_scalars.learning_rate;
  for (std::size_t micro = 0; micro < batches.size(); ++micro) {
    step_scalars.step =
        static_cast<std::uint32_t>((progress_.step - 1) * recipe_.accumulate + micro);
    update.losses += pass_->run(batches[micro], step_scalars);
  }
  write_scalars(adam_program_, adam_scalars_, step_scalars);
  adam_program_.replay();
  update.gradient_norm =
      std::sqrt(static_cast<double>(adam_program_.host<float>(squared_norm_)[0])) /
      progress_.scale.value;
  if (update.applied()) {
    progress_.skipped_in_row = 0;
  } else {
    ++progress_.skipped;
    if (!progress_.scale.can_fall()) ++progress_.skipped_in_row;
  }
  progress_.scale = next_scale(progress_.scale, recipe_.precision, update.applied());
  return update;
}

nn::StepScalars Trainer::scalars(std::uint64_t target_tokens) const {
  const auto key = base::philox_key(recipe_.seed);
  // Adam's means have seen only the updates that changed something.
  const auto seen = static_cast<double>(progress_.step - progress_.skipped);
  const auto correction = [&](double beta) {
    return static_cast<float>(1 / (1 - std::pow(beta, seen)));
  };
  nn::StepScalars scalars{};
  scalars.seed_low = key[0];
  scalars.seed_high = key[1];
  scalars.loss_scale =
      static_cast<float>(progress_.scale.value / static_cast<double>(target_tokens));
  scalars.gradient_scale = static_cast<float>(1 / progress_.scale.value);
  scalars.learning_rate = static_cast<float>(schedule_.rate(progress_.step));
  scalars.moment1_correction = correction(recipe_.adam.beta1);
  scalars.moment2_correction = correction(recipe_.adam.beta2);
  scalars.clip_norm = static_cast<float>(recipe_.clip_norm);
  return scalars;
}

std::uint64_t Trainer::planned_bytes() const {
  // Values, gradients, both moments, and the narrow copy.
  const std::uint64_t flat_bytes = 4 * 4 + (recipe_.precision == nn::Element::kFloat32 ? 0 : 2);
  return pass_->planned_bytes() + adam_program_.planned_bytes() +
         flat_bytes * parameters_.flat_floats();
}

}  // namespace awend::train
