#include "train/run.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "train/folders.hpp"
#include "train/session.hpp"
#include "train/together.hpp"

namespace awend::train {
namespace {

CorporaSettings corpora_settings(const RunSettings& settings, const text::Vocabulary& vocabulary,
                                 const std::string& cache) {
  // A sentence must fit into a batch and into the table of positions.
  const auto longest =
      std::min({settings.recipe.batch_tokens, settings.config.longest, data::kLongestSentence});
  const bool limited = settings.max_length > 0 && settings.max_length < longest;
  return {.vocabulary = vocabulary,
          .longest_training = limited ? settings.max_length + 1 : longest,
          .longest_validation = longest,
          .cache = cache};
}

}  // namespace

void run(const RunSettings& settings, Ranks& ranks, const base::Report& report) {
  const auto started = Clock::now();
  const bool first = ranks.rank() == 0;
  require_files(ranks, settings.texts);
  std::optional<text::Vocabulary> vocabulary;
  std::optional<store::Checkpoint> checkpoint;
  std::optional<std::string> end;
  Identity identity{settings.config, settings.recipe, {}, 0};
  in_turn(ranks, [&] {
    vocabulary = text::Vocabulary::read(settings.vocabulary);
    identity.vocabulary = vocabulary->serialize();
    identity.config.vocabulary = vocabulary->size();
    model::validate(identity.config);
    if (first) checkpoint = find_checkpoint(settings.output);
    if (!checkpoint) return;
    require_same_run(*checkpoint, identity);
    end = end_of_course(settings.course, read_state(*checkpoint));
  });
  if (end) report.warning(base::concat(settings.output, ": nothing left to do after ", *end));
  if (ranks.largest(end ? 1 : 0) > 0) return;

  const auto cache = settings.cache.empty()
                         ? (std::filesystem::path(settings.output) / "cache").string()
                         : settings.cache;
  auto texts = settings.texts;
  if (!first) texts.validation.reset();  // rank 0 validates
  Folders folders;
  std::optional<Corpora> corpora;
  in_turn(ranks, [&] {
    if (first) folders.make_writable(settings.output);
    folders.make(cache);
    corpora.emplace(texts, corpora_settings(settings, *vocabulary, cache), report);
  });
  identity.corpus_fingerprint = corpora->fingerprint();
  if (checkpoint) require_same_corpus(*checkpoint, identity);
  require_same_run(ranks, identity);

  const std::int64_t rows_before = checkpoint ? read_state(*checkpoint).pass_rows : 0;
  Session session({settings, identity, *corpora, *vocabulary, ranks, report},
                  static_cast<std::uint32_t>(ranks.largest(rows_before)));
  const RunState state = first ? session.begin(checkpoint) : RunState{};
  report.note("stopped: " + session.train(state, started));
  ranks.wait_for_all();  // for the last checkpoint: a rank that ends may take the others with it
}

}  // namespace awend::train
