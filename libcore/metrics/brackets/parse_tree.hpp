// Constituency trees of one line each, in either of two ways to write them.
//
// Bracketed: "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"; a root may lack its label.  Linearised,
// as Vinyals et al. (2015) train models on them: "(S (NP XX XX )NP (VP XX )VP )S", where a token
// without a bracket stands for a word, and a closing bracket repeats the label.  No depth and no
// damage overflows the stack.  Test: tests/unit/metrics/parse_tree_test.cpp,
// tests/fuzz/parse_tree_test.cpp.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace awend::metrics {

enum class TreeForm { kBracketed, kLinearised };

/// All texts are views into the line.
struct ParseTree {
  struct Constituent {
    std::string_view label;
    std::size_t begin, end;  // of its words
  };
  struct Leaf {
    std::string_view tag;   // linearised: the token
    std::string_view word;  // linearised: nothing
  };
  std::vector<Constituent> constituents;  // in the order in which they close
  std::vector<Leaf> leaves;
};

/// Reads a tree, or several in a row; a line without any bracket or token is a tree without leaves.
/// Throws base::Error "WHERE: byte N: what", with bytes counted from 1, where it is none; `where`
/// is "file:line".
ParseTree parse_tree(std::string_view line, TreeForm form, std::string_view where);

}  // namespace awend::metrics
