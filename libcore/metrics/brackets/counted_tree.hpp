// The part of a tree that counts when parses are compared: words and constituents without what the
// settings delete, and one name for equal labels.  Test:
// tests/unit/metrics/brackets/brackets_test.cpp.
#pragma once

#include <compare>
#include <map>
#include <span>

#include "metrics/brackets/bracket_settings.hpp"

namespace awend::metrics {

/// Texts that count as equal, and their representative.
class Equals {
 public:
  explicit Equals(std::span<const std::pair<std::string, std::string>> pairs);
  /// The view is valid as long as the text and this object.
  std::string_view operator()(std::string_view text) const;

 private:
  std::map<std::string, std::string, std::less<>> standing_;
};

class TreeCounter {
 public:
  explicit TreeCounter(const BracketSettings& settings);

  struct Span {
    std::string_view label;  // empty if labels do not count
    std::size_t begin, end;  // of its words
    auto operator<=>(const Span&) const = default;
  };
  struct Tree {
    std::vector<Span> spans;  // sorted
    std::vector<ParseTree::Leaf> leaves;
  };
  using Kept = std::vector<bool>;  // of each leaf

  /// Words for the length of a sentence.
  std::size_t length(const ParseTree& tree) const;
  /// Which leaves are not deleted.
  Kept kept(const ParseTree& tree) const;
  /// Keeps quotes in both trees that only one of them treats as punctuation.
  void keep_quotes(const ParseTree& a, Kept& kept_a, const ParseTree& b, Kept& kept_b) const;
  /// The tree of the remaining leaves.
  Tree count(const ParseTree& tree, const Kept& kept) const;

 private:
  bool is_quote(const ParseTree::Leaf& leaf) const;

  BracketSettings settings_;
  Equals labels_, words_;
};

}  // namespace awend::metrics
