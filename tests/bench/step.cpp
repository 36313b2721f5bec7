// A whole training step: tokens of the target a second, and where its time goes.
//
// The rate is that of train::Trainer, as `train` runs it.  For the split the same two programs are
// made again with timestamps, which cost a little time themselves.
#include "tests/bench/step.hpp"

#include <algorithm>
#include <ctime>
#include <map>

#include "base/random.hpp"
#include "forward/pass.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "tests/bench/bench.hpp"
#include "train/trainer.hpp"

namespace awend::bench {
namespace {

struct KernelTime {
  double seconds = 0;
  std::uint32_t launches = 0;
};

/// Forward, backward and Adam with timestamps.
class TimedStep {
 public:
  TimedStep(nn::Engine& engine, train::Trainer& trainer, const StepModel& step)
      : pass_(engine, trainer.model().view(),
              {.rows = step.tokens(), .mode = nn::Mode::kTraining, .longest = step.length}),
        adam_(engine),
        adam_graph_(adam_, trainer.parameters(), nn::Mode::kTraining) {
    nn::adam(adam_graph_, trainer.parameters(), {});
    pass_.compile(vulkan::Timing::kOn);
    adam_.compile(vulkan::Timing::kOn);
    nn::StepScalars scalars{};
    scalars.loss_scale = 1.0f / static_cast<float>(step.tokens());
    scalars.gradient_scale = 1;
    pass_.write(batch_of(step), scalars);
    forward::write_scalars(adam_, adam_graph_.step_scalars(), scalars);
    replay();
  }

  void replay() {
    pass_.replay();
    adam_.replay();
  }

  std::map<std::string, KernelTime> kernels() {
    std::map<std::string, KernelTime> kernels;
    for (const auto* program : {&pass_.program(), &adam_}) {
      for (const auto& timed : program->timings()) {
        auto& kernel = kernels[timed.kernel];
        kernel.seconds += timed.nanoseconds * 1e-9;
        ++kernel.launches;
      }
    }
    return kernels;
  }

 private:
  forward::Pass pass_;
  nn::Program adam_;
  nn::Graph adam_graph_;
};

void report_update(const Bench& bench, train::Trainer& trainer, const StepModel& it) {
  const std::vector<batch::PackedBatch> batches = {batch_of(it)};
  trainer.update(batches);
  const Measurement measurement[] = {[&] {
    const std::clock_t begin = std::clock();
    const double seconds = seconds_of([&] { trainer.update(batches); });
    return std::vector{seconds, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC};
  }};
  const auto figures = measure_in_turn(measurement, bench.seconds);
  const Figure seconds = figures[0], cpu_seconds = figures[1];
  bench.report.row("update",
                   {seconds.median * 1e3, kUnknown, kUnknown, it.tokens() / seconds.median,
                    it.tokens() / seconds.min, cpu_seconds.median * 1e3});
}

/// Rows of the report: kernels by falling time, then what they are together.
void report_split(const Bench& bench, TimedStep& step) {
  const auto counted = step.kernels();
  const Measurement measurement[] = {[&] {
    step.replay();
    std::vector<double> seconds;
    for (const auto& [name, kernel] : step.kernels()) seconds.push_back(kernel.seconds);
    return seconds;
  }};
  const auto figures = measure_in_turn(measurement, bench.seconds);
  std::vector<std::pair<std::string, KernelTime>> rows;
  std::map<std::string, KernelTime> groups;
  KernelTime all;
  for (const auto& [name, kernel] : counted) {
    const KernelTime median = {figures[rows.size()].median, kernel.launches};
    rows.emplace_back("kernel " + name, median);
    const auto group = name.starts_with("matmul")                    ? "all matmul"
                       : name.find("attention") != std::string::npos ? "all attention"
                                                                     : "all other";
    for (auto* sum : {&groups[group], &all}) {
      sum->seconds += median.seconds;
      sum->launches += median.launches;
    }
  }
  std::ranges::sort(rows, [](const auto& one, const auto& other) {
    return one.second.seconds > other.second.seconds;
  });
  rows.insert(rows.end(), groups.begin(), groups.end());
  rows.emplace_back("all kernels", all);
  for (const auto& [name, kernel] : rows) {
    bench.report.row(name, {kernel.seconds * 1e3, 100 * kernel.seconds / all.seconds,
                            static_cast<double>(kernel.launches), kUnknown, kUnknown, kUnknown});
  }
}

}  // namespace

StepModel small_step() {
  StepModel step;
  step.config = model::preset("small");
  step.config.transformer.norm = model::Norm::kPost;  // as in pytorch_step.py
  step.config.vocabulary = 8000;
  return step;
}

StepModel step_model(const cli::Options& options) {
  const auto number = [&](std::string_view name) {
    return options.integer<std::uint32_t>(name, {.min = 1, .max = 1'000'000});
  };
  StepModel step = small_step();
  auto& config = step.config;
  if (options.has("preset")) {
    const auto preset = train::preset(options.text("preset"));
    config = preset.model;
    config.transformer.norm = model::Norm::kPost;
    step.recipe = preset.recipe;
    config.vocabulary = number("vocabulary");
    step.sentences = number("sentences");
    step.length = number("length");
    return step;
  }
  config.vocabulary = number("vocabulary");
  config.d_model = number("d-model");
  config.transformer.d_ff = number("d-ff");
  config.transformer.heads = number("heads");
  config.transformer.d_k = config.transformer.d_v =
      model::head_size(config.d_model, config.transformer.heads);
  config.encoder_layers = config.decoder_layers = number("layers");
  config.dropout = 0.1;
  step.sentences = number("sentences");
  step.length = number("length");
  return step;
}

train::Recipe recipe_of(const StepModel& step) {
  train::Recipe recipe = step.recipe;
  recipe.batch_tokens = step.tokens();
  return recipe;
}

batch::PackedBatch batch_of(const StepModel& step) {
  base::Random random(1);
  const auto add = [&](data::Sentences& sentences) {
    std::vector<std::uint32_t> ids(step.length - 1);
    for (auto& id : ids) id = random.below(step.config.vocabulary);
    sentences.add(ids);
  };
  data::SentencePairs pairs;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < step.sentences; ++i) {
    add(pairs.source);
    add(pairs.target);
    numbers.push_back(i);
  }
  batch::PackedBatch batch;
  data::pack_batch(pairs, numbers, batch);
  return batch;
}

void step(const Bench& bench) {
  bench.report.section("step", "one update of a model; share of the device's time by kernel",
                       {{"ms", "milliseconds", 2},
                        {"%", "percent", 1},
                        {"launches", "launches", 0},
                        {"tokens/s", "tokens_per_second", 0},
                        {"best", "best_tokens_per_second", 0},
                        {"CPU ms", "cpu_milliseconds", 2}});
  const bool whole = bench.report.wants("update");
  const bool split = bench.report.wants("kernel");
  if (!whole && !split) return;
  const StepModel it = step_model(bench.options);
  auto recipe = recipe_of(it);
  recipe.precision = bench.precision;
  train::TrainedModel model(bench.engine, it.config, recipe);
  train::Trainer trainer(bench.engine, model, recipe,
                         {.pass_rows = recipe.batch_tokens, .longest = it.length});
  if (whole) report_update(bench, trainer, it);
  if (!split) return;
  if (bench.engine.limits().timestamp_period_ns == 0) {
    bench.report.note("this device has no timestamps, so the step cannot be split");
    return;
  }
  TimedStep timed(bench.engine, trainer, it);
  report_split(bench, timed);
}

}  // namespace awend::bench
