// The state of a run as text, and the limits of a run.
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "train/state_text.hpp"
#include "train/stopping.hpp"

namespace awend::train {
namespace {

RunState somewhere() {
  RunState state;
  state.counts = {.step = 123,
                  .learned = 99,
                  .skipped = 4,
                  .skipped_in_row = 2,
                  .scale = {.value = 1024, .updates = 17}};
  state.position = {.epoch = 5, .index = 6};
  state.pass_rows = 11;
  state.seconds = 1.0 / 3;
  state.window = {.losses = {.smoothed = 0.1,
                             .negative_log_likelihood = 1e-17,
                             .tokens = 7,
                             .of_alignments = 1.0 / 7},
                  .updates = 8,
                  .norms = 2.0 / 3,
                  .seconds = 0.7,
                  .tokens = 9};
  state.best = {.metric = ValidationMetric::kChrf,
                .list = {{120, 3.3}, {80, 1.0 / 3}},
                .since_best = 10,
                .at_end = {100, 0.1}};
  state.log_begin = 77;
  state.log_first_line = "0123456789abcdef";
  return state;
}

store::Settings again(const store::Settings& settings) {
  return store::Settings::from_json(settings.to_json(), "test");
}

TEST_CASE("a state is read back exactly from its text", "[state]") {
  const RunState state = somewhere();
  const RunState back =
      state_from_settings(again(to_settings(state)), again(history_to_settings(state)));
  CHECK(to_settings(back) == to_settings(state));
  CHECK(back.counts.step == 123);
  CHECK(back.counts.learned == 99);
  CHECK(back.position == state.position);
  CHECK(back.pass_rows == 11);
  CHECK(back.seconds == state.seconds);
  CHECK(back.window.norms == state.window.norms);
  CHECK(back.window.losses.negative_log_likelihood == 1e-17);
  CHECK(back.window.losses.of_alignments == 1.0 / 7);
  CHECK(back.window.seconds == 0.7);
  CHECK(back.best == state.best);
  CHECK(back.log_begin == 77);
  CHECK(back.log_first_line == state.log_first_line);
}

TEST_CASE("a run without a validation has no best one", "[state]") {
  const RunState back =
      state_from_settings(again(to_settings(RunState{})), again(history_to_settings({})));
  CHECK(back.best == BestValidations{});
}

TEST_CASE("a state without a setting is refused, naming it", "[state]") {
  store::Settings partial;
  partial.set("step", 3);
  CHECK(tests::message_of([&] { state_from_settings(partial, history_to_settings({})); }) ==
        "no setting 'skipped'");
  partial.set("step", -3);
  CHECK(tests::message_of([&] { state_from_settings(partial, history_to_settings({})); }) ==
        "setting 'step': -3 is negative");
}

TEST_CASE("a run ends at the first limit that it reaches", "[state]") {
  RunState state;
  state.counts.step = 99;
  state.position = {.epoch = 3, .index = 0};
  state.best.since_best = 5;
  RunLimits limits{.max_steps = 100};
  CHECK_FALSE(reached_limit(limits, state));
  limits.max_epochs = 4;
  limits.early_stopping = 6;
  CHECK_FALSE(reached_limit(limits, state));
  limits.early_stopping = 5;
  CHECK(reached_limit(limits, state) == "5 validations without improvement");
  limits.max_epochs = 3;
  CHECK(reached_limit(limits, state) == "3 epochs, the maximum");
  limits.max_steps = 99;
  CHECK(reached_limit(limits, state) == "99 updates, the maximum");
}

}  // namespace
}  // namespace awend::train
