// The option --shortlist of translate and average.
#pragma once

#include "cli/options.hpp"
#include "decode/shortlist_file.hpp"

namespace awend::tools {

/// "off", a file, or a file and numbers of words: FILE,FIRST,BEST[,THRESHOLD].  Throws UsageError
/// for invalid numbers.
decode::ShortlistFile shortlist_file_of(const cli::Options& options);

}  // namespace awend::tools
