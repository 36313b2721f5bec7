#include "train/state_text.hpp"

#include "base/error.hpp"

namespace awend::train {
namespace {

std::uint64_t whole(const store::Settings& settings, std::string_view name) {
  const auto value = settings.integer(name);
  if (value < 0) base::fail("setting '", name, "': ", value, " is negative");
  return static_cast<std::uint64_t>(value);
}

}  // namespace

store::Settings to_settings(const RunState& state) {
  store::Settings settings;
  settings.set("step", state.counts.step);
  settings.set("skipped", state.counts.skipped);
  settings.set("learned", state.counts.learned);
  settings.set("skipped-in-row", state.counts.skipped_in_row);
  settings.set("loss-scale", state.counts.scale.value);
  settings.set("updates-at-loss-scale", state.counts.scale.updates);
  settings.set("epoch", state.position.epoch);
  settings.set("batch", state.position.index);
  settings.set("pass-rows", state.pass_rows);
  settings.set("window-loss", state.window.losses.smoothed);
  settings.set("window-nll", state.window.losses.negative_log_likelihood);
  settings.set("window-loss-tokens", state.window.losses.tokens);
  if (state.window.losses.sentences > 0) {
    settings.set("window-sentence-loss", state.window.losses.of_sentences);
    settings.set("window-sentences", state.window.losses.sentences);
  }
  if (state.window.losses.of_alignments > 0)
    settings.set("window-alignment-cost", state.window.losses.of_alignments);
  settings.set("window-updates", state.window.updates);
  settings.set("window-norms", state.window.norms);
  settings.set("window-tokens", state.window.tokens);
  settings.set("best-metric", name_of(state.best.metric));
  settings.set("best", to_text(state.best.list));
  settings.set("validations-since-best", state.best.since_best);
  if (state.owes_validation) settings.set("owes-validation", 1);
  return settings;
}

store::Settings history_to_settings(const RunState& state) {
  store::Settings settings;
  settings.set("run", state.seconds);
  settings.set("window", state.window.seconds);
  if (state.best.at_end.step > 0) settings.set("best-at-end", to_text({state.best.at_end}));
  if (state.log_begin) settings.set("log-begin", *state.log_begin);
  if (!state.log_first_line.empty()) settings.set("log-first-line", state.log_first_line);
  return settings;
}

RunState state_from_settings(const store::Settings& settings, const store::Settings& history) {
  RunState state;
  state.counts = {.step = whole(settings, "step"),
                  .learned = 0,
                  .skipped = whole(settings, "skipped"),
                  .skipped_in_row = whole(settings, "skipped-in-row"),
                  .scale = {}};
  state.counts.learned = settings.find("learned") ? whole(settings, "learned")
                                                  : state.counts.step - state.counts.skipped;
  // States from before 16-bit training have no scale.
  if (settings.find("loss-scale")) {
    state.counts.scale = {.value = settings.number("loss-scale"),
                          .updates = whole(settings, "updates-at-loss-scale")};
  }
  state.position = {.epoch = whole(settings, "epoch"), .index = whole(settings, "batch")};
  // States from before passes have one pass for each batch.
  if (settings.find("pass-rows"))
    state.pass_rows = static_cast<std::uint32_t>(whole(settings, "pass-rows"));
  state.window.losses = {.smoothed = settings.number("window-loss"),
                         .negative_log_likelihood = settings.number("window-nll"),
                         .tokens = whole(settings, "window-loss-tokens")};
  if (settings.find("window-sentences")) {
    state.window.losses.of_sentences = settings.number("window-sentence-loss");
    state.window.losses.sentences = whole(settings, "window-sentences");
  }
  if (settings.find("window-alignment-cost"))
    state.window.losses.of_alignments = settings.number("window-alignment-cost");
  state.window.updates = whole(settings, "window-updates");
  state.window.norms = settings.number("window-norms");
  state.window.tokens = whole(settings, "window-tokens");
  if (settings.find("best")) {
    state.best.metric = base::value_of<kMetrics>(settings.at("best-metric"));
    state.best.list = parse_validated(settings.at("best"));
  } else if (settings.find("best-validation")) {  // from before checkpoints of the best were kept
    state.best.list = {{.step = 0, .value = settings.number("best-validation")}};
  }
  state.best.since_best = whole(settings, "validations-since-best");
  state.owes_validation = settings.find("owes-validation").has_value();
  state.seconds = history.number("run");
  state.window.seconds = history.number("window");
  if (history.find("best-at-end")) {
    const auto at_end = parse_validated(history.at("best-at-end"));
    if (!at_end.empty()) state.best.at_end = at_end.front();
  }
  if (history.find("log-begin")) state.log_begin = whole(history, "log-begin");
  if (history.find("log-first-line")) state.log_first_line = history.at("log-first-line");
  return state;
}

RunState run_state_of(const store::ArrayFile& file) {
  const auto settings = store::settings_at(file, store::keys::kState),
             history = store::settings_at(file, store::keys::kSeconds);
  try {
    return state_from_settings(settings, history);
  } catch (const base::Error& error) {
    base::fail(file.path(), ": no training state: ", error.what());
  }
}

}  // namespace awend::train
