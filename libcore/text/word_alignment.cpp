#include "text/word_alignment.hpp"

#include "base/numbers.hpp"
#include "text/spaced_words.hpp"

namespace awend::text {

WordAlignment parse_word_alignment(std::string_view line) {
  WordAlignment alignment;
  for_each_word(trim(line).words, [&](std::string_view word) {
    const auto at = word.find_first_of("-p?");
    const auto source = base::find_number<std::uint32_t>(word.substr(0, at));
    const auto target = at == std::string_view::npos
                            ? std::nullopt
                            : base::find_number<std::uint32_t>(word.substr(at + 1));
    if (!source || !target) base::fail("'", word, "' is not a link, such as 0-0");
    (word[at] == '-' ? alignment.sure : alignment.possible).push_back({*source, *target});
  });
  return alignment;
}

void append_word_alignment(std::span<const Link> links, std::string& line) {
  for (std::size_t i = 0; i < links.size(); ++i)
    line += base::concat(i == 0 ? "" : " ", links[i].source, "-", links[i].target);
}

}  // namespace awend::text
