// Beam search over random sentences: target tokens a second, and the share of the time that the
// device works; the rest is the host's, between two steps.
//
// Weights are random, so that hardly any hypothesis ends before its longest output: as many tokens
// as the source has.  A search with timestamps tells the device's time; they cost a little time
// themselves, so that the rate is that of a search without.
#include "base/random.hpp"
#include "decode/capacity.hpp"
#include "decode/scheduler.hpp"
#include "model/architectures.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/step.hpp"

namespace awend::bench {
namespace {

constexpr std::uint32_t kRounds = 4;  // of the batch, so that sentences come and go

decode::SearchSettings search_settings() {
  decode::SearchSettings search;
  search.max_length_extra = 0;
  return search;
}

/// The steps of a search on their way to the device.
class Watched : public decode::StepModel {
 public:
  explicit Watched(decode::DeviceStepModel& step_model) : step_model_(step_model) {}

  void encode(std::span<const model::SourceSentence> sentences) override {
    step_model_.encode(sentences);
    add(step_model_.encoder());
  }
  std::span<const decode::Candidate> step(const decode::Step& step) override {
    const auto candidates = step_model_.step(step);
    add(step_model_.decoder());
    ++steps;
    return candidates;
  }

  double device_seconds = 0;
  double steps = 0;

 private:
  void add(const nn::Program& program) {
    for (const auto& timed : program.timings()) device_seconds += timed.nanoseconds * 1e-9;
  }

  decode::DeviceStepModel& step_model_;
};

class Decoding {
 public:
  Decoding(const Bench& bench, const StepModel& it, vulkan::Timing timing)
      : seq2seq_(model::make_seq2seq(it.config, parameters_)), it_(it) {
    parameters_.allocate(bench.engine, nn::Use::kInference, bench.precision);
    parameters_.initialize(1);
    const auto ensemble = decode::single_model({&parameters_, seq2seq_.get()});
    step_model_ = std::make_unique<decode::DeviceStepModel>(
        bench.engine, ensemble,
        decode::capacity_for(bench.engine, ensemble, search_settings(),
                             {.batch_tokens = 0, .longest_piece = it.length}),
        decode::DeviceStepSettings{.timing = timing});
  }

  struct Done {
    double tokens, steps, device_seconds;
  };
  Done run() {
    Watched model(*step_model_);
    const auto& capacity = step_model_->capacity();
    decode::Scheduler scheduler(model,
                                {.rows = capacity.rows,
                                 .source_rows = capacity.source_rows,
                                 .cache_rows = capacity.cache_rows},
                                search_settings(), {});
    base::Random random(1);
    for (std::uint32_t i = 0; i < kRounds * it_.sentences; ++i) {
      decode::Scheduler::Job job{.ticket = i, .ids = {}, .longest = it_.length};
      for (std::uint32_t at = 1; at < it_.length; ++at)
        job.ids.push_back(2 + random.below(it_.config.vocabulary - 2));
      job.ids.push_back(1);
      scheduler.add(std::move(job));
    }
    double tokens = 0;
    while (scheduler.has_work()) {
      for (const auto& answer : scheduler.step())
        tokens += static_cast<double>(answer.hypotheses.front().of_tokens.size());
    }
    return {tokens, model.steps, model.device_seconds};
  }

 private:
  nn::Parameters parameters_;
  std::unique_ptr<model::Seq2Seq> seq2seq_;
  StepModel it_;
  std::unique_ptr<decode::DeviceStepModel> step_model_;
};

}  // namespace

void decode(const Bench& bench) {
  bench.report.section("decode", "beam search of 4, four batches of sentences",
                       {{"ms/step", "milliseconds_per_step", 2},
                        {"busy %", "device_percent", 1},
                        {"tokens/s", "tokens_per_second", 0},
                        {"best", "best_tokens_per_second", 0}});
  if (!bench.report.wants("search")) return;
  const StepModel it = step_model(bench.options);
  Decoding plain(bench, it, vulkan::Timing::kOff);
  const auto done = plain.run();
  const bool stamps = bench.engine.limits().timestamp_period_ns > 0;
  std::unique_ptr<Decoding> timed;
  std::vector<Measurement> measurements = {
      [&] { return std::vector{seconds_of([&] { plain.run(); })}; }};
  if (stamps) {
    timed = std::make_unique<Decoding>(bench, it, vulkan::Timing::kOn);
    timed->run();
    measurements.push_back([&] { return std::vector{timed->run().device_seconds}; });
  }
  const auto figures = measure_in_turn(measurements, bench.seconds);
  const double seconds = figures[0].median;
  bench.report.row(
      "search", {seconds / done.steps * 1e3, stamps ? 100 * figures[1].median / seconds : kUnknown,
                 done.tokens / seconds, done.tokens / figures[0].min});
}

}  // namespace awend::bench
