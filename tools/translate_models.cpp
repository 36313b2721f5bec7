#include "translate_models.hpp"

#include <filesystem>

#include "decode/stepwise_scorer.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "filter_options.hpp"
#include "model/checkpoint.hpp"
#include "model/source_rules.hpp"
#include "store/checkpoints.hpp"

namespace awend::tools {
namespace {

/// All values, split at commas unless a file of that name exists.
std::vector<std::string> model_paths(const base::Options& options) {
  options.required("model");
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const std::string& value : options.each("model")) {
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end =
          std::filesystem::exists(value, ignored) ? value.size() : value.find(',', begin);
      paths.push_back(store::model_file(value.substr(begin, end - begin)));
      if (end >= value.size()) break;
      begin = end + 1;
    }
  }
  return paths;
}

text::Vocabulary vocabulary_of(const store::ArrayFile& checkpoint, const std::string& path) {
  auto vocabulary = text::Vocabulary::parse(checkpoint.metadata_at(store::keys::kVocabulary),
                                            path + ": vocabulary");
  const model::Config config = model::read_config(checkpoint);
  const std::uint32_t tokens = config.vocabulary;
  if (vocabulary.size() != tokens) {
    base::fail(path, ": the vocabulary has ", vocabulary.size(), " pieces, but the model has ",
               tokens);
  }
  if (model::source_vocabulary_of(config) != tokens) {
    base::fail(path, ": the source has its own vocabulary of ", config.source_vocabulary,
               " ids, which is not supported");
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

ModelFiles open_models(const base::Options& options) {
  const auto paths = model_paths(options);
  std::vector<std::unique_ptr<store::ArrayFile>> checkpoints;
  for (const auto& path : paths) checkpoints.push_back(std::make_unique<store::ArrayFile>(path));
  auto vocabulary = vocabulary_of(*checkpoints.front(), paths.front());
  for (std::size_t i = 1; i < paths.size(); ++i) {
    if (!same_pieces(vocabulary_of(*checkpoints[i], paths[i]), vocabulary)) {
      base::fail(paths[i], ": the vocabulary differs from that of ", paths.front(),
                 "; models of an ensemble must share one");
    }
  }
  return {paths, std::move(checkpoints), std::move(vocabulary)};
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

std::vector<std::uint32_t> read_shortlist(const base::Options& options,
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
