#include "train/run.hpp"

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "base/machine.hpp"
#include "base/numbers.hpp"
#include "base/signals.hpp"
#include "model/activation_scales.hpp"
#include "model/encoder.hpp"
#include "nn/engine_start.hpp"
#include "store/stored_settings.hpp"
#include "train/activation_calibration.hpp"
#include "train/checkpoint.hpp"
#include "train/encoded_validation.hpp"
#include "train/loop.hpp"
#include "train/pass_rows.hpp"
#include "train/ranks/rank_agreement.hpp"
#include "train/run_inputs.hpp"
#include "train/setting_names.hpp"
#include "train/span_validation.hpp"
#include "train/trainer.hpp"
#include "train/translated_validation.hpp"
#include "train/validation.hpp"

namespace awend::train {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

RunSettings with_default_paths(RunSettings settings) {
  const std::filesystem::path output = settings.output;
  if (settings.cache.empty()) settings.cache = (output / "cache").string();
  if (settings.log.empty()) settings.log = (output / "log.tsv").string();
  return settings;
}

/// At least as many rows as a rank's share of an update has.
std::uint32_t max_rows(const Recipe& recipe, std::uint32_t longest, std::uint32_t ranks) {
  const auto share = std::uint64_t{recipe.batch_tokens} * recipe.accumulate / ranks + longest;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(recipe.batch_tokens, share));
}

/// What the steps of a run after its inputs have in common.
struct Context {
  const RunSettings& settings;
  const RunInputs& inputs;
  Ranks& ranks;
  const base::Report& report;
};

/// Tokens of the longest sentence of any rank, its end included.
std::uint32_t longest_of(const Corpora& corpora, Ranks& ranks) {
  std::uint32_t longest = corpora.training().longest();
  if (corpora.validation()) longest = std::max(longest, corpora.validation_view().longest());
  return static_cast<std::uint32_t>(ranks.largest(longest));
}

/// The rows of passes: those of the resumed run, `rows_before`, if they fit (0: a new run).  They
/// are the same on all ranks, so that a resumed run can repeat the rounding of the original.
std::uint32_t choose_pass_rows(const Context& context, nn::Engine& engine, TrainedModel& model,
                               std::uint32_t rows_before, std::uint32_t longest,
                               std::uint32_t sharers) {
  const auto& [settings, inputs, ranks, report] = context;
  PassBounds bounds{
      .min_rows = longest,
      .max_rows = max_rows(inputs.identity().recipe, longest, ranks.size()),
      .validates = inputs.corpora().validation().has_value(),
      .translates = inputs.corpora().validation() && settings.limits.valid_beam > 0,
      .budget_bytes = settings.limits.memory_budget_mib * kMib,
      .sharers = sharers,
      .optimizer_bytes = Trainer::optimizer_bytes(engine, model, inputs.identity().recipe)};
  if (inputs.corpora().has_alignments())
    bounds.guided_alignment = inputs.identity().recipe.guided_alignment;
  if (rows_before > 0) bounds.max_rows = std::min(bounds.max_rows, rows_before);
  const std::int64_t own = rows_that_fit(engine, model.view(), bounds);
  const auto rows = static_cast<std::uint32_t>(-ranks.largest(-own));
  if (rows_before > 0 && rows != rows_before) {
    report.warning(base::concat("passes have ", rows, " tokens a side, before they had ",
                                rows_before, ": resuming, but results will not be bit-identical"));
  }
  return rows;
}

/// Loads the state and weights that the run starts with: those of its last checkpoint, of another
/// run, or initial ones.
RunState load_start(const Context& context, Trainer& trainer) {
  const auto& [settings, inputs, ranks, report] = context;
  RunState state;
  if (const auto& checkpoint = inputs.checkpoint()) {
    state = read_state(*checkpoint);
    load_checkpoint(*checkpoint, trainer);
    report.info(
        base::concat("resuming from step ", state.counts.step, " (", checkpoint->weights, ")"));
  } else if (!settings.resume_from.empty()) {
    state = resume_from(settings.resume_from, settings.resets, inputs.identity(), trainer);
    report.info(
        base::concat("starting at step ", state.counts.step, " from ", settings.resume_from));
  } else {
    if (!settings.init_from.path.empty())
      load_weights(settings.init_from, inputs.vocabularies(), trainer.model(), report);
    return state;
  }
  state.best.metric = present_metric(state.best.metric, inputs.identity().config, report);
  trainer.set_counts(state.counts);
  return state;
}

/// Fixes the scales of training for eight bits before programs are recorded: those of the weights
/// that the run starts from, or new ones.
void start_fake_quantization(const Context& context, nn::Engine& engine, TrainedModel& model) {
  const auto& [settings, inputs, ranks, report] = context;
  if (inputs.identity().recipe.quantize == Quantize::kNone) return;
  auto& parameters = model.parameters();
  if (ranks.rank() == 0) {
    model::load_activation_scales(parameters, store::ArrayFile(inputs.start()));
    if (!inputs.checkpoint()) {
      report.status("calibrating activations");
      load_weights({inputs.start(), settings.init_from.extends_vocabulary}, inputs.vocabularies(),
                   model, base::Report("", base::Verbosity::kQuiet));
      calibrate_activations(engine, model.view(), inputs.corpora().training(),
                            inputs.identity().recipe.seed);
    }
  }
  const auto scales = text_of_first(ranks, model::activation_scales_of(parameters).to_json());
  const std::string from = "rank 0";
  model::set_activation_scales(
      parameters, store::activation_scales_of(store::Settings::from_json(scales, from), from));
  parameters.set_fake_quantization(nn::FakeQuantization::kOn);
}

/// That of the model from which the run starts, or the default, with the beam of validations.
decode::SearchSettings validation_search(const Identity& identity, std::uint32_t beam_size) {
  decode::SearchSettings search;
  if (!identity.search.empty()) {
    decode::apply_stored(
        store::Settings::from_json(identity.search, "the search settings of the first weights"),
        search);
  }
  search.beam_size = beam_size;
  return search;
}

/// Translates the validation text, or encodes it.
std::unique_ptr<ScoredValidation> scored_validation(const Context& context, nn::Engine& engine,
                                                    TrainedModel& model) {
  const auto& corpora = context.inputs.corpora();
  if (const auto* const encoder = model.model().as_encoder()) {
    const model::EncoderView view{&model.parameters(), encoder};
    if (model::text_kind_of(encoder->config()) == model::TextKind::kSpans)
      return std::make_unique<SpanValidation>(engine, view, corpora.validation_view());
    return std::make_unique<EncodedValidation>(engine, view, corpora.validation_view());
  }
  return std::make_unique<TranslatedValidation>(
      engine, model.seq2seq_view(),
      ValidationText{*corpora.validation(), context.inputs.vocabularies().target},
      validation_search(context.inputs.identity(), context.settings.limits.valid_beam));
}

/// Compiles the programs, and trains.  Returns why the run ended.
std::string train(const Context& context, nn::Engine& engine, Clock::time_point started) {
  const auto& [settings, inputs, ranks, report] = context;
  const auto& identity = inputs.identity();
  const bool resumes = inputs.checkpoint().has_value();
  const std::int64_t rows_before = resumes ? read_state(*inputs.checkpoint()).pass_rows : 0;
  const auto shared_rows_before = static_cast<std::uint32_t>(ranks.largest(rows_before));
  TrainedModel model(engine, identity.config, identity.recipe);
  if (inputs.corpora().has_alignments() && !model.model().guides_alignment()) {
    base::fail(kGuidedAlignment, " cannot guide the model: its architecture is ",
               identity.config.architecture, ", or it has no layer to guide");
  }
  start_fake_quantization(context, engine, model);
  report.status("compiling kernels");
  const bool validates = inputs.corpora().validation().has_value();
  const auto translation = validates && settings.limits.valid_beam > 0
                               ? scored_validation(context, engine, model)
                               : nullptr;
  // Compiling the kernels of a large model takes a while, and nothing is lost if it is interrupted.
  base::stop_if_requested();
  const auto longest = longest_of(inputs.corpora(), ranks);
  const auto sharers = report_devices(ranks, engine, report);
  const auto pass_rows =
      choose_pass_rows(context, engine, model, shared_rows_before, longest, sharers);
  base::stop_if_requested();
  Trainer trainer(engine, model, identity.recipe,
                  {.pass_rows = pass_rows,
                   .longest = longest,
                   .ranks = &ranks,
                   .has_alignments = inputs.corpora().has_alignments()});
  base::stop_if_requested();
  const bool first = ranks.rank() == 0;
  std::optional<Validation> validation;
  if (validates) {
    // Only the first rank validates.
    const std::uint64_t budget =
        memory_budget(engine, settings.limits.memory_budget_mib * kMib, sharers);
    validation.emplace(engine, model.view(), inputs.corpora().validation_view(),
                       Validation::Settings{pass_rows, first ? budget : 0});
  }
  report.note(base::concat(model.parameters().numbers(), " parameters, ",
                           identity.config.vocabulary, " pieces, ",
                           base::divide_up(engine.allocated_bytes(), kMib),
                           " MiB of device memory, passes of ", pass_rows, " tokens a side"));
  nn::report_memory(engine, report);
  RunState state = first ? load_start(context, trainer) : RunState{};
  report.status({});  // a terminal's rows begin on the line of the status
  std::optional<Log> log;
  if (first) {
    log.emplace(LogSettings{
        .output = settings.log_output,
        .reader = settings.log_output == "-" ? reader_of_stdout() : Reader::kProgram,
        .validates = validation.has_value(),
        .place = {resumes ? state.counts.step : 0, state.log_begin, state.log_first_line},
        .file = settings.log,
        .scores = scores_of(identity.config)});
    state.log_begin = log->begin();
  }
  Loop loop({.ranks = ranks,
             .trainer = trainer,
             .validation = validation ? &*validation : nullptr,
             .translation = translation.get(),
             .log = log ? &*log : nullptr,
             .corpus = inputs.corpora().training(),
             .identity = identity,
             .pass_rows = pass_rows,
             .limits = settings.limits,
             .directory = settings.output,
             .resumes = resumes,
             .is_on_cpu = engine.limits().on_cpu,
             .started = started,
             .show_task = settings.show_task},
            share_state(ranks, state, trainer), report);
  const auto reason = loop.run();
  if (log) log->close();
  return reason;
}

// Of an update on a side: its tokens are numbered in 32 bits.
constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 31;

void require_valid(const RunSettings& settings) {
  if (settings.texts.training.empty()) throw base::UsageError("no training text is given");
  for (const auto& [files, weight] : settings.texts.training)
    base::require_in("the weight of a corpus", kCorpusWeightRange, weight);
  auto recipe = settings.recipe;
  if (!has_steps(recipe.curve)) recipe.schedule_steps = 1;  // unset
  try {
    base::validate(recipe_fields(), recipe);
    const auto tokens = std::uint64_t{recipe.batch_tokens} * recipe.accumulate;
    if (tokens > kMostTokens)
      base::fail("an update has at most ", kMostTokens, " tokens on a side, got ", tokens);
  } catch (const base::Error& error) {
    throw base::UsageError(error.message());
  }
}

}  // namespace

void run(const RunSettings& requested, Ranks& ranks, const base::Report& report) {
  const auto started = Clock::now();
  require_valid(requested);
  const RunSettings settings = with_default_paths(requested);
  RunInputs inputs(settings, ranks, report);
  if (inputs.is_complete()) return;
  // Before the corpora, which may take long: a device that does not exist is an error at once.
  report.status("opening the device");
  // Ranks of the same machine share its processors.
  const unsigned share = std::max(1u, base::processor_share() / ranks.local_size());
  nn::Engine engine({.requested = settings.device,
                     .threads = settings.threads > 0 ? settings.threads : share,
                     .turn = ranks.local_rank()});
  const auto precision = inputs.identity().recipe.precision;
  engine.require(precision);
  inputs.read_corpora(settings, ranks, report);
  nn::start(engine, precision, report);
  report.note("stopped: " + train({settings, inputs, ranks, report}, engine, started));
  ranks.wait_for_all();  // for the last checkpoint: a rank that exits may end the others
}

}  // namespace awend::train
