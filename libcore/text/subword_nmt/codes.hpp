// The codes of subword-nmt and fastBPE: merges of byte pairs, one per line, in the order in which
// they apply.
//
//   #version: 0.2          `x</w>` is the last symbol of a word; `0.2 byte`: symbols are bytes
//   l o                    left and right symbol, one space between
//   lo w</w>
//
// Without the first line the file has version 0.1, where `</w>` is initially a separate symbol; or,
// if its first line has three fields of which the last is a number, the format of fastBPE (left,
// right, count), which is equivalent to 0.2.  No line of version 0.1 has three fields, so the
// formats are unambiguous.  Test: tests/unit/text/subword_nmt/subword_nmt_codes_test.cpp,
// tests/fuzz/subword_nmt_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace awend::text {

/// The end-of-word marker in codes.
inline constexpr std::string_view kEndOfWord = "</w>";

struct SubwordNmtCodes {
  bool separate_end_of_word = false;  // version 0.1
  bool bytes = false;                 // symbols are bytes, not characters
  std::vector<std::pair<std::string, std::string>>
      merges;  // a pair may occur twice: the first counts
};

/// Parses the text of the file, or only its first `first_merges` merges.  CR and spaces around a
/// line and empty lines at the end are ignored.  Error "name:line: what" for any other line that
/// is not a merge, up to the last merge read.
SubwordNmtCodes parse_codes(std::string_view content, const std::string& name,
                            std::optional<std::size_t> first_merges = std::nullopt);

/// The text of the file, as subword-nmt writes it.
std::string print_codes(const SubwordNmtCodes& codes);

}  // namespace awend::text
