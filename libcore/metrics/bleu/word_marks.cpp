#include "metrics/bleu/word_marks.hpp"

namespace awend::metrics {

void FieldMarks::isolate(std::size_t i) {
  characters_[i].space_in_front = true;
  if (i + 1 < characters_.size()) characters_[i + 1].space_in_front = true;
}

void FieldMarks::isolate_marks_after_non_numbers() {
  std::size_t i = 0;
  if (edges_.space_before && is_mark(0)) isolate(i++);
  while (i + 1 < characters_.size()) {
    if (is_number(i) || !is_mark(i + 1)) {
      ++i;
    } else {
      isolate(i + 1);
      i += 2;
    }
  }
}

void FieldMarks::isolate_marks_before_non_numbers() {
  for (std::size_t i = 0; i < characters_.size(); ++i) {
    if (!is_mark(i)) continue;
    const bool last = i + 1 == characters_.size();
    if (last ? edges_.space_after : characters_[i + 1].space_in_front) {
      isolate(i);  // the space was consumed, but not the character after it
    } else if (!last && !is_number(i + 1)) {
      isolate(i++);
    }
  }
}

void FieldMarks::isolate_hyphens_after_numbers() {
  for (std::size_t i = 1; i < characters_.size(); ++i) {
    const auto& character = characters_[i];
    if (character.mark == Mark::kHyphen && is_number(i - 1) && !character.space_in_front) {
      isolate(i);
    }
  }
}

void FieldMarks::cut(std::string_view field, std::vector<std::string_view>& words) {
  isolate_marks_after_non_numbers();
  isolate_marks_before_non_numbers();
  isolate_hyphens_after_numbers();
  std::size_t begin = 0;
  for (std::size_t i = 1; i < characters_.size(); ++i) {
    if (!characters_[i].space_in_front) continue;
    const auto end = characters_[i].begin_byte;
    words.push_back(field.substr(begin, end - begin));
    begin = end;
  }
  words.push_back(field.substr(begin));
}

}  // namespace awend::metrics
