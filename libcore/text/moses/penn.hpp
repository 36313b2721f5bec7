// Moses' -penn: words as the Penn treebank has them, for parsers trained on it.
// Test: tests/unit/text/moses_test.cpp.
#pragma once

#include "text/moses/passes.hpp"

namespace awend::text::moses {

/// Cuts the cleaned line in work.text into words, up to where marks are turned back.
void split_penn(const Prefixes& prefixes, Work& work);

/// Undoes in a token line, with a space at both ends, what split_penn does to short forms, slashes
/// and brackets, as detokenizer.perl -penn does.
void undo_penn(Work& work);

}  // namespace awend::text::moses
