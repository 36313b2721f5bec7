// Counts of a trained aligner in a file, with which new text is aligned (`align --prior`).
//
// Lines of tab-separated fields: `awend-alignment-prior 1`, then `forward SOURCE TARGET COUNT` (for
// a target word without a source word, SOURCE is empty), `forward-jump DISTANCE COUNT`, and the
// same of `reverse`.  Test: tests/unit/align/aligner_test.cpp.
#pragma once

#include "align/directed_model.hpp"
#include "base/files.hpp"
#include "base/lines.hpp"

namespace awend::align {

struct Priors {
  PriorCounts forward, reverse;
};

/// Reads the counts, and adds their words to those of the bitext.  Throws Error "FILE:LINE: what".
Priors read_priors(base::LineReader& lines, Bitext& bitext);

/// Writes counts of at least 0.01.
void write_priors(const Priors& priors, const Bitext& bitext, base::OutputFile& out);

}  // namespace awend::align
