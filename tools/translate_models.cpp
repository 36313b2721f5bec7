#include "translate_models.hpp"

#include <algorithm>
#include <filesystem>

#include "decode/stepwise_scorer.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "filter_options.hpp"
#include "foreign_model.hpp"
#include "model/checkpoint.hpp"
#include "model/source_rules.hpp"
#include "store/checkpoints.hpp"
#include "translate_settings.hpp"

namespace awend::tools {
namespace {

/// All values, split at commas unless a file of that name exists.
std::vector<std::string> model_paths(const cli::Options& options) {
  options.required("model");
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const std::string& value : options.each("model")) {
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end =
          std::filesystem::exists(value, ignored) ? value.size() : value.find(',', begin);
      const auto path = value.substr(begin, end - begin);
      paths.push_back(open_model(path, [&] { return store::model_file(path); }));
      if (end >= value.size()) break;
      begin = end + 1;
    }
  }
  return paths;
}

text::Vocabulary vocabulary_at(const store::ArrayFile& checkpoint, std::string_view key,
                               std::uint32_t tokens) {
  auto vocabulary =
      text::Vocabulary::parse(checkpoint.metadata_at(key), checkpoint.path() + ": vocabulary");
  if (vocabulary.size() != tokens) {
    base::fail(checkpoint.path(), ": the vocabulary has ", vocabulary.size(),
               " pieces, but the model has ", tokens);
  }
  return vocabulary;
}

text::Vocabulary vocabulary_of(const store::ArrayFile& checkpoint) {
  return vocabulary_at(checkpoint, store::keys::kVocabulary,
                       model::read_config(checkpoint).vocabulary);
}

/// The vocabulary of the source, if it has its own.
std::optional<text::Vocabulary> source_vocabulary_of(const store::ArrayFile& checkpoint,
                                                     const text::Vocabulary& target) {
  const auto tokens = model::source_vocabulary_of(model::read_config(checkpoint));
  if (!checkpoint.metadata(store::keys::kSourceVocabulary)) {
    if (tokens == target.size()) return std::nullopt;
    base::fail(checkpoint.path(), ": the source has its own ids, but no vocabulary");
  }
  auto vocabulary = vocabulary_at(checkpoint, store::keys::kSourceVocabulary, tokens);
  if (vocabulary.end_of_sentence() != target.end_of_sentence()) {
    base::fail(checkpoint.path(), ": the end of a sentence is id ", vocabulary.end_of_sentence(),
               " of the source and ", target.end_of_sentence(), " of the target");
  }
  return vocabulary;
}

bool same_pieces(const text::Vocabulary& a, const text::Vocabulary& b) {
  if (a.size() != b.size() || a.unknown() != b.unknown() ||
      a.end_of_sentence() != b.end_of_sentence())
    return false;
  for (std::uint32_t id = 0; id < a.size(); ++id) {
    if (a.piece(id) != b.piece(id)) return false;
  }
  return true;
}

}  // namespace

ModelFiles open_models(const cli::Options& options) {
  const auto paths = model_paths(options);
  std::vector<std::unique_ptr<store::ArrayFile>> checkpoints;
  for (const auto& path : paths) {
    checkpoints.push_back(open_model(path, [&] {
      auto checkpoint = std::make_unique<store::ArrayFile>(path);
      model::read_config(*checkpoint);  // throws if it is not a checkpoint
      return checkpoint;
    }));
  }
  auto vocabulary = vocabulary_of(*checkpoints.front());
  auto source = source_vocabulary_of(*checkpoints.front(), vocabulary);
  for (std::size_t i = 1; i < paths.size(); ++i) {
    const auto other = vocabulary_of(*checkpoints[i]);
    const auto other_source = source_vocabulary_of(*checkpoints[i], other);
    if (!same_pieces(other, vocabulary) ||
        !same_pieces(other_source.value_or(other), source.value_or(vocabulary))) {
      base::fail(paths[i], ": the vocabulary differs from that of ", paths.front(),
                 "; models of an ensemble must share one");
    }
  }
  return {paths, std::move(checkpoints), std::move(vocabulary), std::move(source)};
}

cli::Options with_model_defaults(const cli::Options& options, const ModelFiles& files) {
  constexpr std::string_view kKnown[] = {"beam-size",        "alpha",
                                         "length-penalty",   "max-length-ratio",
                                         "max-length-extra", "unknown-tokens"};
  auto changed = options;
  const auto& checkpoint = *files.checkpoints.front();
  const auto search = checkpoint.metadata(store::keys::kSearch);
  if (!search) return changed;
  const auto settings = store::Settings::from_json(*search, checkpoint.path());
  for (const auto& [name, value] : settings.entries()) {
    if (std::ranges::find(kKnown, name) == std::end(kKnown))
      base::fail(checkpoint.path(), ": unknown default of the search '", name, "'");
    changed.set_default(name, value);
  }
  try {
    translator_settings(changed);
  } catch (const base::UsageError& error) {
    base::fail(checkpoint.path(), ": defaults of the search: ", error.what());
  }
  return changed;
}

std::vector<std::unique_ptr<decode::LoadedModel>> load_models(nn::Engine& engine,
                                                              const ModelFiles& files,
                                                              nn::Element precision) {
  std::vector<std::unique_ptr<decode::LoadedModel>> models;
  for (const auto& checkpoint : files.checkpoints)
    models.push_back(std::make_unique<decode::LoadedModel>(engine, *checkpoint, precision));
  return models;
}

std::unique_ptr<decode::PairScorer> pair_scorer(
    nn::Engine& engine, const std::vector<std::unique_ptr<decode::LoadedModel>>& models,
    const decode::EnsembleSettings& ensemble, const decode::SpecialIds& special) {
  if (models.size() > 1) {
    return std::make_unique<decode::StepwiseScorer>(engine, decode::make_ensemble(models, ensemble),
                                                    special);
  }
  return std::make_unique<decode::TeacherForcedScorer>(
      engine, models.front()->view(),
      decode::TeacherForcedScorer::Settings{.end_of_sentence = special.end_of_sentence});
}

decode::SourceProblem source_problem_of(
    const std::vector<std::unique_ptr<decode::LoadedModel>>& models) {
  std::vector<model::Config> configs;
  for (const auto& model : models) {
    if (!model::source_rules(model->seq2seq().config()).empty())
      configs.push_back(model->seq2seq().config());
  }
  if (configs.empty()) return {};
  return [configs](std::span<const std::uint32_t> ids) -> std::optional<std::string> {
    for (const auto& config : configs) {
      if (auto problem = model::source_problem(config, ids)) return problem;
    }
    return std::nullopt;
  };
}

std::vector<std::uint32_t> read_shortlist(const cli::Options& options,
                                          const text::Vocabulary& vocabulary) {
  std::vector<std::uint32_t> ids;
  if (!options.has("shortlist")) return ids;
  base::LineReader in(options.text("shortlist"), invalid_utf8_of(options),
                      {.file_bytes = base::kMostModelBytes});
  std::string_view line;
  while (in.next(line)) {
    const auto id = vocabulary.find(line);
    if (!id)
      base::fail(in.name(), ":", in.line_number(), ": '", line, "' is not in the vocabulary");
    ids.push_back(*id);
  }
  if (ids.empty()) base::fail(in.name(), ": no tokens");
  return ids;
}

}  // namespace awend::tools
