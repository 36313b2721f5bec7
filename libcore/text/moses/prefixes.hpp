// Words that keep their dot: Moses' lists of abbreviations, `nonbreaking_prefix.LANGUAGE`.
//
// The lists belong to Moses (LGPL-2.1) and are not part of awend; they are read from a directory
// given by the user.  Each line is a word without its dot; `#` begins a comment; after
// `#NUMERIC_ONLY#`, a word keeps the dot only before a digit.  Test:
// tests/unit/text/moses/moses_test.cpp.
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
  /// The list of `language`, or the English one if there is none; Error naming the directory if
  /// that does not exist either.
  Prefixes(const std::string& directory, const std::string& language);

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
