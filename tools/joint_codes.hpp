// build-vocab --joint: same as learn-joint-bpe-and-vocab of subword-nmt.
// Test: tests/cli/build_vocab.sh.
#pragma once

#include <string>

#include "base/report.hpp"
#include "cli/options.hpp"

namespace awend::tools {

/// Learns codes from all texts together.  Encodes each text with them and writes its piece counts
/// to the corresponding file of --write-vocabulary.
std::string learned_jointly(const cli::Options& options, const base::Report& report);

}  // namespace awend::tools
