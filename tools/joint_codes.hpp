// build-vocab --joint: same as learn-joint-bpe-and-vocab of subword-nmt.
// Test: tests/cli/build_vocab.sh.
#pragma once

#include <string>

#include "base/options.hpp"
#include "base/report.hpp"

namespace awend::tools {

/// Learns codes from all texts together.  Encodes each text with them and writes its piece counts
/// to the corresponding file of --write-vocabulary.
std::string learned_jointly(const base::Options& options, const base::Report& report);

}  // namespace awend::tools
