// Short texts that represent protected text in a sentence, because models copy them: one or more
// equal capital letters that the sentence does not contain.
//
// Test: tests/unit/text/markup/substitutes_test.cpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_range.hpp"

namespace awend::text {

class Substitutes {
 public:
  /// Those that none of the texts contains as a word.
  explicit Substitutes(const std::vector<std::string_view>& texts);

  /// The next one; nothing if there are no more.
  std::optional<std::string> next();

 private:
  std::string letters_;
  std::size_t given_ = 0;
};

/// The occurrences of a substitute in a translation, which may have other case.
std::vector<TextRange> find_substitute(std::string_view substitute, std::string_view text);

}  // namespace awend::text
