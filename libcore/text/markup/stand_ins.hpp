// Short texts that represent protected text in a sentence, because models copy them: one or more
// equal capital letters that the sentence does not contain.
//
// Test: tests/unit/text/markup/stand_ins_test.cpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_range.hpp"

namespace awend::text {

class StandIns {
 public:
  /// Those that none of the texts contains as a word.
  explicit StandIns(const std::vector<std::string_view>& texts);

  /// The next one; nothing if there are no more.
  std::optional<std::string> next();

 private:
  std::string letters_;
  std::size_t given_ = 0;
};

/// The occurrences of a stand-in in a translation, which may have other case.
std::vector<TextRange> find_stand_in(std::string_view stand_in, std::string_view text);

}  // namespace awend::text
