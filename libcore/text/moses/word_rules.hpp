// Rules that rewrite one short word by another, such as "cannot" and "can not".
// Test: tests/unit/text/moses/moses_test.cpp.
#pragma once

#include <span>
#include <string_view>

#include "text/moses/passes.hpp"

namespace awend::text::moses {

/// `head`, one of `letters`, `tail` becomes `new_head`, the same letter, `new_tail`.
struct WordRule {
  std::string_view head, letters, tail, new_head, new_tail;
};

/// Applies the rules to the whole line, one after the other.  A match consumes all its characters:
/// the next match of the same rule cannot use them.
void apply(std::span<const WordRule> rules, Work& work);

}  // namespace awend::text::moses
