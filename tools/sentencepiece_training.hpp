// build-vocab --format sentencepiece.  Test: tests/cli/sentencepiece_model.sh.
#pragma once

#include <string>

#include "base/report.hpp"
#include "cli/options.hpp"

namespace awend::tools {

/// A serialized SentencePiece model learned from all texts.
std::string trained_model(const cli::Options& options, const base::Report& report);

}  // namespace awend::tools
