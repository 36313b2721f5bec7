// The model files of translate: one checkpoint, or several of an ensemble, and a shortlist.  Test:
// tests/cli/ensemble.sh, tests/cli/shortlist.sh.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "decode/ensemble.hpp"
#include "decode/line_translator.hpp"
#include "decode/pair_scorer.hpp"
#include "decode/translator.hpp"
#include "text/vocabularies.hpp"

namespace awend::tools {

struct ModelFiles {
  std::vector<std::string> paths;
  std::vector<std::unique_ptr<store::ArrayFile>> checkpoints;  ///< One for each path.
  text::Vocabulary vocabulary;  ///< Of the target, shared by all models; of the source, too, …
  std::optional<text::Vocabulary> source_vocabulary;  ///< … unless it has its own.

  text::Vocabularies vocabularies() const {
    return {source_vocabulary ? *source_vocabulary : vocabulary, vocabulary};
  }
};

/// Opens the files of --model.  Throws Error if one is not a checkpoint, or if its vocabulary does
/// not match its model or the vocabulary of the first file.
ModelFiles open_models(const cli::Options& options);

std::vector<std::unique_ptr<decode::LoadedModel>> load_models(nn::Engine& engine,
                                                              const ModelFiles& files,
                                                              nn::Element precision);

/// The options with the defaults of the first model, which converted models have.  Throws Error
/// naming the file if it has other settings than those of a search.
cli::Options with_model_defaults(const cli::Options& options, const ModelFiles& files);

/// The scorer of --target: one model scores all tokens at once, several models step by step.
std::unique_ptr<decode::PairScorer> pair_scorer(
    nn::Engine& engine, const std::vector<std::unique_ptr<decode::LoadedModel>>& models,
    const decode::EnsembleSettings& ensemble, const decode::SpecialIds& special);

/// What the models require of a line; empty if any line will do.
decode::SourceProblem source_problem_of(
    const std::vector<std::unique_ptr<decode::LoadedModel>>& models);

/// The ids of the tokens in --shortlist; empty without it.  Throws Error if a line is not in the
/// vocabulary.
std::vector<std::uint32_t> read_shortlist(const cli::Options& options,
                                          const text::Vocabulary& vocabulary);

}  // namespace awend::tools
