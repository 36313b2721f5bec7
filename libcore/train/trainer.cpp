#include "train/trainer.hpp"

#include <cmath>
#include <utility>

#include "base/random.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"

namespace awend::train {
namespace {

Schedule schedule_of(const model::Model& model, const Recipe& recipe) {
  const auto& config = model.config();
  const auto phase_ends = model.phase_ends();
  const double peak = recipe.learning_rate > 0
                          ? recipe.learning_rate
                          : Schedule::paper_peak(config.d_model, recipe.warmup);
  return {.peak = peak,
          .warmup = static_cast<double>(recipe.warmup),
          .curve = recipe.curve,
          .end = static_cast<double>(recipe.schedule_steps),
          .start = phase_ends.empty() ? 0 : static_cast<double>(phase_ends.back())};
}

/// Appends the update of the parameters; see nn::adam().
nn::Tensor append_update(nn::Graph& graph, nn::Parameters& parameters, const Recipe& recipe) {
  switch (recipe.optimizer) {
    case Optimizer::kSgd:
      return nn::sgd(graph, parameters, recipe.adam.weight_decay);
    case Optimizer::kMuon:
      return nn::muon(graph, parameters, {.momentum = recipe.muon_momentum, .adam = recipe.adam});
    case Optimizer::kAdam:
      break;
  }
  return nn::adam(graph, parameters, recipe.adam);
}

}  // namespace

Trainer::Trainer(nn::Engine& engine, TrainedModel& model, const Recipe& recipe,
                 const TrainerSettings& settings)
    : recipe_(recipe),
      schedule_(schedule_of(model.model(), recipe)),
      model_(model),
      ranks_(settings.ranks),
      pass_(engine, model.view(),
            {.rows = settings.pass_rows,
             .mode = nn::Mode::kTraining,
             .longest = settings.longest,
             .guided_alignment =
                 settings.has_alignments ? std::optional(recipe.guided_alignment) : std::nullopt}),
      optimizer_program_(engine),
      optimizer_graph_(
          std::make_unique<nn::Graph>(optimizer_program_, model.parameters(), nn::Mode::kTraining)),
      optimizer_scalars_(optimizer_graph_->step_scalars()),
      squared_norm_(append_update(*optimizer_graph_, model.parameters(), recipe)) {
  counts_.scale = first_scale(recipe.precision);
  if (ranks_ != nullptr && ranks_->size() > 1) {
    shared_gradients_ =
        std::make_unique<SharedGradients>(*ranks_, pass_.program(), model.parameters());
  }
  pass_.compile();
  optimizer_program_.compile();
}

Trainer::Trainer(nn::Engine& engine, std::unique_ptr<TrainedModel> model, const Recipe& recipe)
    : Trainer(engine, *model, recipe, {.pass_rows = recipe.batch_tokens}) {
  own_model_ = std::move(model);
}

Trainer::Trainer(nn::Engine& engine, const model::Config& config, const Recipe& recipe)
    : Trainer(engine, std::make_unique<TrainedModel>(engine, config, recipe), recipe) {}

Trainer::~Trainer() = default;

std::uint64_t Trainer::optimizer_bytes(nn::Engine& engine, TrainedModel& model,
                                       const Recipe& recipe) {
  nn::Program program(engine);
  nn::Graph graph(program, model.parameters(), nn::Mode::kTraining);
  append_update(graph, model.parameters(), recipe);
  return program.plan();
}

Update Trainer::update(std::vector<batch::PackedBatch> passes) {
  data::PackedUpdate all{.passes = std::move(passes)};
  for (const auto& batch : all.passes) {
    all.target_tokens += batch.target_rows();
    all.sentences += batch.sentences;
  }
  return update(all);
}

void Trainer::write_ahead(const NextUpdate& next) {
  if (!next || !pass_.writes_ahead()) return;
  const data::PackedUpdate& update = next();
  if (update.passes.empty()) return;
  // The loss scale may still change, and is written again before the pass.
  const auto [step, sentence_loss_scale] = scalars(counts_.step + 1, update);
  pass_.write(update.passes.front(), step, sentence_loss_scale);
  written_ = &update;
}

forward::Losses Trainer::run_passes(const data::PackedUpdate& own, const UpdateScalars& scalars,
                                    const NextUpdate& next) {
  forward::Losses losses;
  if (own.passes.empty() && shared_gradients_) shared_gradients_->add_nothing();
  bool is_written = std::exchange(written_, nullptr) == &own;
  for (std::size_t i = 0; i < own.passes.size(); ++i) {
    if (is_written) {
      pass_.write_scalars(scalars.step, scalars.sentence_loss_scale);
    } else {
      pass_.write(own.passes[i], scalars.step, scalars.sentence_loss_scale);
    }
    const bool is_last = i + 1 == own.passes.size();
    const auto meanwhile = [&] {
      if (is_last) return write_ahead(next);
      is_written = pass_.writes_ahead();
      if (is_written) pass_.write(own.passes[i + 1], scalars.step, scalars.sentence_loss_scale);
    };
    // The sums over all ranks overlap with the last backward pass.
    if (is_last && shared_gradients_) {
      pass_.begin();
      shared_gradients_->replay(meanwhile);
    } else {
      pass_.submit();
      meanwhile();
      pass_.wait();
    }
    losses += pass_.losses();
  }
  if (ranks_ == nullptr) return losses;
  double sums[] = {losses.smoothed, losses.negative_log_likelihood, losses.of_sentences,
                   losses.of_alignments};
  ranks_->sum(sums);
  return {.smoothed = sums[0],
          .negative_log_likelihood = sums[1],
          .tokens = own.target_tokens,
          .of_sentences = sums[2],
          .sentences = pass_.has_sentence_loss() ? own.sentences : 0,
          .of_alignments = sums[3]};
}

Update Trainer::update(const data::PackedUpdate& own) {
  return update(own, nullptr);
}

Update Trainer::update(const data::PackedUpdate& own, const NextUpdate& next) {
  ++counts_.step;
  const UpdateScalars update_scalars = scalars(counts_.step, own);
  Update update;
  update.rate = update_scalars.step.learning_rate;
  update.losses = run_passes(own, update_scalars, next);
  forward::write_scalars(optimizer_program_, optimizer_scalars_, update_scalars.step);
  optimizer_program_.replay();
  update.gradient_norm =
      std::sqrt(static_cast<double>(optimizer_program_.host<float>(squared_norm_)[0])) /
      counts_.scale.value;
  if (update.applied()) {
    counts_.skipped_in_row = 0;
    ++counts_.learned;
  } else {
    ++counts_.skipped;
    if (!counts_.scale.can_fall()) ++counts_.skipped_in_row;
  }
  counts_.scale = next_scale(counts_.scale, recipe_.precision, update.applied());
  return update;
}

Trainer::UpdateScalars Trainer::scalars(std::uint64_t step, const data::PackedUpdate& own) const {
  const auto key = base::philox_key(recipe_.seed);
  const auto seen = static_cast<double>(counts_.learned + 1);
  const auto correction = [&](double beta) {
    return static_cast<float>(1 / (1 - std::pow(beta, seen)));
  };
  nn::StepScalars scalars{};
  scalars.seed_low = key[0];
  scalars.seed_high = key[1];
  scalars.step = static_cast<std::uint32_t>(step - 1);
  scalars.loss_scale =
      static_cast<float>(counts_.scale.value / static_cast<double>(own.target_tokens));
  scalars.gradient_scale = static_cast<float>(1 / counts_.scale.value);
  scalars.learning_rate = static_cast<float>(schedule_.rate(step));
  scalars.moment1_correction = correction(recipe_.adam.beta1);
  scalars.moment2_correction = correction(recipe_.adam.beta2);
  // Bias correction: early averages use a smaller decay.
  scalars.average_share =
      static_cast<float>(1 - std::min(recipe_.ema_decay, (1 + seen) / (10 + seen)));
  scalars.clip_norm = static_cast<float>(recipe_.clip_norm);
  return {scalars, static_cast<float>(counts_.scale.value / static_cast<double>(own.sentences))};
}

}  // namespace awend::train
