// The words that keep their dot: Moses' lists of abbreviations, `nonbreaking_prefix.LANGUAGE`.
//
// The lists are Moses' (LGPL-2.1) and not part of awend; they are read from a folder given by the
// user.  A line is a word without its dot; `#` begins a comment; behind `#NUMERIC_ONLY#` it keeps
// the dot only before a digit.  Test: tests/unit/text/moses_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace awend::text::moses {

class Prefixes {
 public:
  enum class Kind { kNone, kAlways, kBeforeDigit };

  /// No word is an abbreviation.
  Prefixes() = default;
  /// The list of `language`, or the English one where there is none; an Error naming the folder
  /// where that is not there either.
  Prefixes(const std::string& folder, const std::string& language);

  Kind find(std::string_view word) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::unordered_map<std::string, Kind, Hash, std::equal_to<>> words_;
};

}  // namespace awend::text::moses
