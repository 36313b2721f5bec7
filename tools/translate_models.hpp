// The checkpoints that translate works with: one, or several of an ensemble.  Test:
// tests/cli/ensemble.sh.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/options.hpp"
#include "decode/ensemble.hpp"
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

}  // namespace awend::tools
