// The definition of constituents for comparing parses: the parameters of evalb, with the values of
// its COLLINS.prm, which is standard for the Wall Street Journal.
//
// Test: tests/unit/metrics/brackets/brackets_test.cpp.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/brackets/parse_tree.hpp"

namespace awend::metrics {

/// The treatment of a hypothesis that is not a tree.
enum class DamagedTree { kRefused, kCounted };  // an Error; or an erroneous sentence, as in evalb

struct BracketSettings {
  TreeForm form = TreeForm::kBracketed;
  DamagedTree damaged = DamagedTree::kRefused;
  bool labeled = true;
  int cutoff_length = 40;  // words of the sentences that are also counted separately
  /// Constituents with these labels are ignored, and words with these tags are removed.
  std::set<std::string, std::less<>> deleted = {"TOP", "-NONE-", ",", ":", "``", "''", "."};
  /// Words with these tags do not count for the length of a sentence.
  std::set<std::string, std::less<>> deleted_for_length = {"-NONE-"};
  /// Labels and tags that count as equal; the relation is transitive.
  std::vector<std::pair<std::string, std::string>> equal = {{"ADVP", "PRT"}};
  std::vector<std::pair<std::string, std::string>> equal_words = {};
  /// Tags that may be wrong for ' " /: if the trees differ in the number of words, such a word is
  /// kept if only one of the trees would remove it.
  std::set<std::string, std::less<>> quotes = {};
};

/// Parses a parameter file such as COLLINS.prm: lines with a key and its values.  The keys are
/// LABELED, CUTOFF_LEN, MAX_ERROR, DELETE_LABEL, DELETE_LABEL_FOR_LENGTH, QUOTE_LABEL, EQ_LABEL and
/// EQ_WORD; DEBUG and DISC_ONLY are ignored.  Only what the file names is deleted or equal. Throws
/// base::Error "name:line: what".
BracketSettings read_bracket_settings(std::string_view content, std::string_view name);

}  // namespace awend::metrics
