// score --by-length.  Test: tests/cli/inspect_scores.sh.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "metrics/corpus.hpp"
#include "score_request.hpp"

namespace awend::tools {

/// Reads the corpus to its end and returns the text to print.
std::string scores_by_length(const cli::Options& options, Request& request,
                             metrics::CorpusReader& corpus, const std::vector<std::string>& names);

}  // namespace awend::tools
