// The marks within a field: where 13a, zh and intl cut beside full stops, commas, hyphens and other
// punctuation.
//
// In sacreBLEU three regular expressions do it one after the other, each from left to right, a
// match using up both its characters: a mark behind what is no number is set apart; a mark before
// what is no number is; a hyphen behind a number is.  So of two marks in a row the second may be
// used up with the first ("a,,1" is a , ,1).  Test: tests/unit/metrics/words_test.cpp.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "metrics/bleu/marks.hpp"

namespace awend::metrics {

class FieldMarks {
 public:
  struct Edges {
    bool space_before, space_after;  // else the line begins or ends there
  };
  explicit FieldMarks(Edges edges) : edges_(edges) {}

  /// The next character of the field, which begins at this byte.
  void add(std::size_t begin_byte, Mark mark) { characters_.push_back({begin_byte, mark, false}); }

  /// Appends the words of the field.
  void cut(std::string_view field, std::vector<std::string_view>& words);

 private:
  struct Character {
    std::size_t begin_byte;
    Mark mark;
    bool space_in_front;  // put there by one of the rules
  };
  bool is_mark(std::size_t i) const { return characters_[i].mark == Mark::kMark; }
  bool is_number(std::size_t i) const { return characters_[i].mark == Mark::kNumber; }
  void set_apart(std::size_t i);
  void cut_behind_no_number();
  void cut_before_no_number();
  void cut_hyphens();

  Edges edges_;
  std::vector<Character> characters_;
};

}  // namespace awend::metrics
