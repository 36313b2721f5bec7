// Marks within a field: where 13a, zh and intl split at periods, commas, hyphens and other
// punctuation.
//
// sacreBLEU applies three regular expressions in turn, each from left to right, where a match
// consumes both its characters: a mark after a non-number is separated; a mark before a non-number
// is separated; a hyphen after a number is separated.  So the second of two adjacent marks may be
// consumed with the first ("a,,1" is a , ,1).  Test: tests/unit/metrics/bleu/words_test.cpp.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "metrics/bleu/marks.hpp"

namespace awend::metrics {

class FieldMarks {
 public:
  struct Edges {
    bool space_before, space_after;  // false: the beginning or end of the line
  };
  explicit FieldMarks(Edges edges) : edges_(edges) {}

  /// Adds the next character of the field, which begins at this byte.
  void add(std::size_t begin_byte, Mark mark) { characters_.push_back({begin_byte, mark, false}); }

  /// Appends the words of the field.
  void cut(std::string_view field, std::vector<std::string_view>& words);

 private:
  struct Character {
    std::size_t begin_byte;
    Mark mark;
    bool space_in_front;  // inserted by one of the rules
  };
  bool is_mark(std::size_t i) const { return characters_[i].mark == Mark::kMark; }
  bool is_number(std::size_t i) const { return characters_[i].mark == Mark::kNumber; }
  void isolate(std::size_t i);
  void isolate_marks_after_non_numbers();
  void isolate_marks_before_non_numbers();
  void isolate_hyphens_after_numbers();

  Edges edges_;
  std::vector<Character> characters_;
};

}  // namespace awend::metrics
