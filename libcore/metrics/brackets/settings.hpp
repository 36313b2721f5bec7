// What counts as a constituent when parses are compared: the parameters of evalb, with the values
// of its COLLINS.prm, which scores on the Wall Street Journal go by.
//
// Test: tests/unit/metrics/brackets_test.cpp.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/brackets/parse_tree.hpp"

namespace awend::metrics {

/// What becomes of a hypothesis that is no tree.
enum class DamagedTree { kRefused, kCounted };  // an Error; or a sentence in error, as for evalb

struct BracketSettings {
  TreeForm form = TreeForm::kBracketed;
  DamagedTree damaged = DamagedTree::kRefused;
  bool labeled = true;
  int cutoff_length = 40;  // words of the sentences that are counted once more by themselves
  int max_errors = 10;     // sentences in error; more are too many
  /// Constituents of these labels do not count, and words of these tags are taken out.
  std::set<std::string, std::less<>> deleted = {"TOP", "-NONE-", ",", ":", "``", "''", "."};
  /// Words of these tags do not count for a sentence's length.
  std::set<std::string, std::less<>> deleted_for_length = {"-NONE-"};
  /// Labels and tags that count as one; so do those that are equal to an equal.
  std::vector<std::pair<std::string, std::string>> equal = {{"ADVP", "PRT"}};
  std::vector<std::pair<std::string, std::string>> equal_words = {};
  /// Tags of which ' " / may have the wrong one: where the trees differ in the number of words,
  /// such a word is not taken out if only one of them would.
  std::set<std::string, std::less<>> quotes = {};
};

/// Reads the settings from the content of a parameter file such as COLLINS.prm: lines of a key and
/// its values.  LABELED, CUTOFF_LEN, MAX_ERROR, DELETE_LABEL, DELETE_LABEL_FOR_LENGTH, QUOTE_LABEL,
/// EQ_LABEL and EQ_WORD are known, DEBUG and DISC_ONLY are passed over.  Nothing is deleted or
/// equal that the file does not name.  Throws base::Error "name:line: what".
BracketSettings read_bracket_settings(std::string_view content, std::string_view name);

}  // namespace awend::metrics
