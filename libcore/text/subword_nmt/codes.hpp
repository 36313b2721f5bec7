// The codes of subword-nmt and of fastBPE: merges of byte pairs, one a line, in the order in which
// they apply.
//
//   #version: 0.2          `x</w>` is the last symbol of a word; `0.2 byte`: symbols are bytes
//   l o                    left and right symbol, one space between
//   lo w</w>
//
// Without the first line the file is of version 0.1, where `</w>` is a symbol of its own at first;
// or, if its first line has three fields of which the last is a number, fastBPE's (left, right,
// count), which means what 0.2 means.  No line of 0.1 has three fields, so neither is taken for the
// other. Test: tests/unit/text/subword_nmt_codes_test.cpp, tests/fuzz/subword_nmt_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace awend::text {

/// What ends a word in codes.
inline constexpr std::string_view kEndOfWord = "</w>";

struct SubwordNmtCodes {
  bool separate_end_of_word = false;  // version 0.1
  bool bytes = false;                 // symbols are bytes, not characters
  std::vector<std::pair<std::string, std::string>>
      merges;  // a pair may stand twice: the first counts
};

/// Reads the file's text, its first `first_merges` merges only if that is given.  CR and spaces
/// around a line and empty lines at the end are passed over.  Error "name:line: what" for anything
/// else that is not a merge, before the last one read.
SubwordNmtCodes parse_codes(std::string_view content, const std::string& name,
                            std::optional<std::size_t> first_merges = std::nullopt);

/// The file's text, as subword-nmt writes it.
std::string print_codes(const SubwordNmtCodes& codes);

}  // namespace awend::text
