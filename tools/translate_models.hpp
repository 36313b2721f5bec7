// The files that translate works with besides its input: one checkpoint, or several of an ensemble,
// and a shortlist of their vocabulary.  Test: tests/cli/ensemble.sh, tests/cli/shortlist.sh.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/options.hpp"
#include "decode/ensemble.hpp"
#include "decode/given_scorer.hpp"
#include "decode/translator.hpp"
#include "text/vocabulary.hpp"

namespace awend::tools {

struct ModelFiles {
  std::vector<std::string> paths;
  std::vector<std::unique_ptr<store::ArrayFile>> checkpoints;  ///< One for each path.
  text::Vocabulary vocabulary;                                 ///< That of all.
};

/// Opens the files of --model.  Throws Error where one is no checkpoint, its vocabulary does not
/// fit its model, or differs from that of the first.
ModelFiles open_models(const base::Options& options);

std::vector<std::unique_ptr<decode::LoadedModel>> load_models(nn::Engine& engine,
                                                              const ModelFiles& files,
                                                              nn::Element precision);

/// What --target asks: one model about all tokens at once, several step by step.
std::unique_ptr<decode::GivenScorer> given_scorer(
    nn::Engine& engine, const std::vector<std::unique_ptr<decode::LoadedModel>>& models,
    const decode::TranslatorSettings& settings);

/// The ids of the tokens of --shortlist; none without it.  Throws Error where a line is no token of
/// the vocabulary.
std::vector<std::uint32_t> read_shortlist(const base::Options& options,
                                          const text::Vocabulary& vocabulary);

}  // namespace awend::tools
