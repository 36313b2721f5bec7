// Moses' option penn: words as in the Penn treebank, for parsers trained on it.
// Test: tests/unit/text/moses/moses_test.cpp.
#pragma once

#include "text/moses/passes.hpp"

namespace awend::text::moses {

/// Splits the cleaned line, work.text, into words, before marks are replaced.
void split_penn(const Prefixes& prefixes, Work& work);

/// Reverts in a token line, with a space at both ends, the changes of split_penn to contractions,
/// slashes and brackets, as detokenizer.perl -penn does.
void undo_penn(Work& work);

}  // namespace awend::text::moses
