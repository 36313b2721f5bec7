// Constituency trees, one per line, in one of two formats.
//
// Bracketed: "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"; a root may lack its label. Linearized,
// as in Vinyals et al. (2015): "(S (NP XX XX )NP (VP XX )VP )S", where a token without a bracket
// represents a word, and a closing bracket repeats the label.  Neither depth nor damage overflows
// the stack.  Test: tests/unit/metrics/brackets/parse_tree_test.cpp,
// tests/fuzz/parse_tree_test.cpp.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace awend::metrics {

enum class TreeForm { kBracketed, kLinearized };

/// All texts are views into the line.
struct ParseTree {
  struct Constituent {
    std::string_view label;
    std::size_t begin, end;  // of its words
  };
  struct Leaf {
    std::string_view tag;   // linearized: the token
    std::string_view word;  // linearized: empty
  };
  std::vector<Constituent> constituents;  // in the order in which they close
  std::vector<Leaf> leaves;
};

/// Parses a tree, or several; a line without any bracket or token is a tree without leaves. Throws
/// base::Error "WHERE: byte N: what", with bytes counted from 1; `where` is "file:line".
ParseTree parse_tree(std::string_view line, TreeForm form, std::string_view where);

}  // namespace awend::metrics
