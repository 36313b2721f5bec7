#include "train/session.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "base/signals.hpp"
#include "nn/matrix_check.hpp"
#include "train/pass_rows.hpp"
#include "train/together.hpp"

namespace awend::train {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

/// Compiling a large model's kernels takes a while; nothing is lost if it is given up.
void stop_if_requested() {
  if (base::stop_signal() != 0) throw base::Interrupted();
}

/// As many rows as a rank's share of an update has, or a few more.
std::uint32_t most_rows(const Recipe& recipe, std::uint32_t longest, std::uint32_t ranks) {
  const auto share = std::uint64_t{recipe.batch_tokens} * recipe.accumulate / ranks + longest;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(recipe.batch_tokens, share));
}

}  // namespace

Session::Session(const SessionParts& parts, std::uint32_t rows_before)
    : parts_(parts),
      engine_(parts.settings.device, vulkan::Validation::kOff, parts.ranks.local_rank()),
      distrust_(nn::check_matrix_units(engine_, parts.identity.recipe.precision)),
      model_(engine_, parts.identity.config, parts.identity.recipe) {
  const auto& [settings, identity, corpora, vocabulary, ranks, report] = parts_;
  report.note(engine_.device.description());
  if (!engine_.device.caution().empty()) report.warning(engine_.device.caution());
  if (!distrust_.empty()) report.warning(distrust_);
  report.status("compiling kernels");
  auto& parameters = model_.parameters();
  const auto& seq2seq = model_.seq2seq();
  const auto& validation = corpora.validation();
  if (validation && settings.course.valid_beam > 0) {
    translation_ = std::make_unique<TranslatedValidation>(engine_, parameters, seq2seq, *validation,
                                                          vocabulary, settings.course.valid_beam);
  }
  stop_if_requested();
  pass_rows_ = rows_of_passes(rows_before);
  stop_if_requested();
  trainer_ = std::make_unique<Trainer>(engine_, model_, identity.recipe, pass_rows_, &ranks);
  stop_if_requested();
  if (validation) {
    validation_ =
        std::make_unique<Validation>(engine_, parameters, seq2seq, *validation, pass_rows_);
  }
  report.note(base::concat(parameters.numbers(), " parameters, ", identity.config.vocabulary,
                           " pieces, ", (engine_.device.arena_bytes() + kMib - 1) / kMib,
                           " MiB of device memory, passes of ", pass_rows_, " tokens a side"));
}

/// Those of the run's past, if they fit; the same on all ranks, so that a run that goes on can
/// repeat what it was.
std::uint32_t Session::rows_of_passes(std::uint32_t rows_before) {
  const auto& [settings, identity, corpora, vocabulary, ranks, report] = parts_;
  std::uint32_t longest = corpora.training().longest();
  if (corpora.validation())
    longest = std::max(longest, data::PairsView(*corpora.validation()).longest());
  longest = static_cast<std::uint32_t>(ranks.largest(longest));
  PassBounds bounds{.least_rows = longest,
                    .most_rows = most_rows(identity.recipe, longest, ranks.size()),
                    .validates = corpora.validation().has_value(),
                    .budget_bytes = settings.course.memory_budget_mib * kMib,
                    .sharers = tell_devices(ranks, engine_.device, report)};
  if (rows_before > 0) bounds.most_rows = std::min(bounds.most_rows, rows_before);
  const std::int64_t own = rows_that_fit(engine_, model_.parameters(), model_.seq2seq(), bounds);
  const auto rows = static_cast<std::uint32_t>(-ranks.largest(-own));
  if (rows_before > 0 && rows != rows_before) {
    report.warning(base::concat("passes have ", rows, " tokens a side, before they had ",
                                rows_before, ": resuming, but results will not be bit-identical"));
  }
  return rows;
}

RunState Session::begin(const std::optional<store::Checkpoint>& checkpoint) {
  const auto& [settings, identity, corpora, vocabulary, ranks, report] = parts_;
  resumes_ = checkpoint.has_value();
  RunState state;
  if (checkpoint) {
    state = read_state(*checkpoint);
    load_checkpoint(*checkpoint, *trainer_);
    report.info(
        base::concat("resuming from step ", state.progress.step, " (", checkpoint->weights, ")"));
  } else if (!settings.resume_from.empty()) {
    state = resume_from(settings.resume_from, settings.resets, identity, *trainer_);
    report.info(
        base::concat("starting at step ", state.progress.step, " from ", settings.resume_from));
  } else {
    if (!settings.init_from.path.empty())
      load_weights(settings.init_from, vocabulary, model_, report);
    return state;
  }
  trainer_->set_progress(state.progress);
  return state;
}

std::string Session::train(const RunState& state, Clock::time_point started) {
  std::unique_ptr<Log> log;
  parts_.report.status({});  // a terminal's rows begin where the status line is
  if (parts_.ranks.rank() == 0)
    log = std::make_unique<Log>(LogSettings{.reader = reader_of_stdout(),
                                            .validates = validation_ != nullptr,
                                            .first_step = resumes_ ? state.progress.step : 0,
                                            .file = parts_.settings.log});
  Loop loop({.ranks = parts_.ranks,
             .trainer = *trainer_,
             .validation = validation_.get(),
             .translation = translation_.get(),
             .log = log.get(),
             .corpus = parts_.corpora.training(),
             .identity = parts_.identity,
             .pass_rows = pass_rows_,
             .course = parts_.settings.course,
             .directory = parts_.settings.output,
             .resumes = resumes_,
             .is_on_cpu = engine_.device.limits().on_cpu,
             .started = started},
            share_state(parts_.ranks, state, *trainer_), parts_.report);
  const auto reason = loop.run();
  if (log) log->close();
  return reason;
}

}  // namespace awend::train
