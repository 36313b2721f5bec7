// A line as characters with their places.
//
// Test: tests/unit/text/sentences_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace awend::text::sentences {

/// The characters of one line, and their places in it.
class LineCharacters {
 public:
  /// Requires: valid UTF-8 of less than 4 GiB.
  void assign(std::string_view line);

  std::size_t size() const { return codes_.size(); }
  char32_t operator[](std::size_t index) const { return codes_[index]; }
  /// The place of a character in bytes; the end of the line if `index` is size().
  std::size_t offset(std::size_t index) const { return offsets_[index]; }
  /// The first character that begins at or after this byte.
  std::size_t index_at(std::size_t offset) const;
  /// The first index from `index` on that is not white space, or size().
  std::size_t skip_white(std::size_t index) const;

  bool is_white_at(std::size_t index) const;

 private:
  std::vector<char32_t> codes_;
  std::vector<std::uint32_t> offsets_;
};

/// Unicode's white space and U+200B, which separates words in some languages.
bool is_white(char32_t code);

}  // namespace awend::text::sentences
