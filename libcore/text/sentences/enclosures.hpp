// Quotation marks and brackets of a line: which of them open and close, and what they enclose.
//
// UAX #29 treats all of them as closing after a terminator.  Here, the neighbors of a mark decide
// whether it opens or closes, because languages use the same marks differently (English “…”,
// German „…“, Danish »…«, French « … »); a mark with white space on both sides, or on neither, has
// the direction that Unicode gives it, and " opens and closes in turn.
// Test: tests/unit/text/sentences_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "text/sentences/characters.hpp"

namespace awend::text::sentences {

enum class MarkSide : std::uint8_t { kNone, kOpening, kClosing };

/// What a pair of marks encloses.
enum class Enclosed : std::uint8_t { kBrackets, kTitle, kQuotation };

class Enclosures {
 public:
  /// `longest_quotation`: quotations of more characters hold nothing together; 0: none does.
  void find(const LineCharacters& line, std::size_t longest_quotation);

  MarkSide side(std::size_t index) const { return sides_[index]; }
  /// Whether a pair of brackets, of a title or of a quotation is around the place before `index`.
  bool hold(std::size_t index) const { return depths_[index] > 0; }

 private:
  struct Open {
    std::size_t index;
    std::uint8_t kind;
    bool begins_sentence;
  };

  void close(std::size_t index, std::uint8_t kind, std::size_t longest_quotation);

  std::vector<MarkSide> sides_;
  std::vector<std::int32_t> depths_;  // first as changes, then as sums
  std::vector<Open> open_;
};

}  // namespace awend::text::sentences
