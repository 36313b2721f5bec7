// build-vocab --format sentencepiece.  Test: tests/cli/sentencepiece_model.sh.
#pragma once

#include <string>

#include "base/options.hpp"
#include "base/report.hpp"

namespace awend::tools {

/// A serialized SentencePiece model learned from all texts.
std::string trained_model(const base::Options& options, const base::Report& report);

}  // namespace awend::tools
