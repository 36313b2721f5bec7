// What build-vocab makes of texts, of codes and of counts.  Test: tests/cli/build_vocab.sh.
#pragma once

#include <string>

#include "base/options.hpp"
#include "base/report.hpp"

namespace awend::tools {

// Each returns the whole file that is to be written.

/// A vocabulary of our own, learned from the texts.
std::string learned_vocabulary(const base::Options& options, const base::Report& report);

/// Codes of subword-nmt, learned from texts whose words stand between spaces.
std::string learned_codes(const base::Options& options, const base::Report& report);

/// A vocabulary out of codes that there are, with the pieces that they make of the texts.
std::string imported_codes(const base::Options& options, const base::Report& report);

/// Each token of the texts and how often it comes, as get-vocab has them.
std::string counts_in_order(const base::Options& options, const base::Report& report);

}  // namespace awend::tools
