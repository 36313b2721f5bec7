#include "text/subword_nmt/vocabulary.hpp"

#include "base/concat.hpp"
#include "base/numbers.hpp"
#include "text/spaced_words.hpp"
#include "text/subword_nmt/numbered_lines.hpp"

namespace awend::text {

void count_tokens(std::string_view line, OrderedCounts& counts) {
  for_each_word(trim(line).words, [&](std::string_view word) { counts.add(word); });
}

std::string print_counts(const OrderedCounts& counts) {
  std::string text;
  for (const std::size_t number : counts.by_count())
    text += base::concat(counts.text(number), " ", counts.count(number), "\n");
  return text;
}

std::vector<PieceCount> parse_counts(std::string_view content, const std::string& name,
                                     std::string_view item) {
  std::vector<PieceCount> pieces;
  NumberedLines lines(content, name);
  for (std::string_view line; lines.next(line);) {
    const std::string_view words = trim(line).words;
    const std::size_t space = words.find(' ');
    if (space == std::string_view::npos)
      lines.fail("expected a ", item, ", one space and its count");
    const std::string_view count = words.substr(space + 1);
    const auto number = base::find_number<std::uint64_t>(count);
    if (!number)
      lines.fail("'", count, "' is not a count; expected a ", item, ", one space and its count");
    pieces.push_back({std::string(words.substr(0, space)), *number});
  }
  return pieces;
}

}  // namespace awend::text
