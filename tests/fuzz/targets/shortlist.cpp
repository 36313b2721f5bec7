// Lexical shortlists: the first byte selects the binary form of Marian, the same with its checksum
// corrected so that more of the reader is reached, or the text form.
#include <cstring>

#include "base/lines.hpp"
#include "decode/sentence_shortlist.hpp"
#include "tests/foreign_files.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "text/lexical_table.hpp"

namespace awend::tests {
namespace {

constexpr store::ShortlistSizes kSizes{4, 9};

text::Vocabulary words(std::uint32_t size) {
  text::VocabularyContent content;
  content.type = text::VocabularyType::kTokens;
  content.pieces = {{"</s>"}, {"<unk>"}};
  while (content.pieces.size() < size)
    content.pieces.push_back({std::string(1, static_cast<char>('a' + content.pieces.size()))});
  content.end_of_sentence = 0;
  content.unknown = 1;
  return text::Vocabulary(content);
}

std::string with_checksum(std::string bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 16; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, sizeof word);
    sum ^= word + 0x9e3779b9 + (sum << 6) + (sum >> 2);
  }
  if (bytes.size() >= 16) std::memcpy(bytes.data() + 8, &sum, sizeof sum);
  return bytes;
}

void use(const store::LexicalShortlist& lists) {
  const decode::SentenceShortlist shortlist(lists, {.end_of_sentence = 0, .unknown = 1},
                                            kSizes.target);
  (void)shortlist.allowed(std::vector<std::uint32_t>{1, 2, 3, 0});
}

}  // namespace

std::vector<std::string> seeds() {
  store::LexicalShortlist lists{.first = 3, .best = 2};
  for (const std::vector<std::uint32_t>& list : {std::vector<std::uint32_t>{2, 5}, {}, {8}, {4}})
    lists.append(list);
  const auto binary = store::write_marian_shortlist(lists);
  return {std::string(1, '\0') + binary, std::string(1, '\1') + binary,
          "\2c c 0.5\nd c 0.25\nNULL c 1\nc d 1e-3\n"};
}

void fuzz(std::string_view input) {
  if (input.empty()) return;
  const auto kind = static_cast<unsigned char>(input[0]) % 3;
  input.remove_prefix(1);
  if (kind == 2) {
    base::LineReader in(base::InputFile("lex", input));
    store::LexicalShortlist lists{.first = 3, .best = 2};
    for (const auto& list :
         text::read_lexical_table(in, words(kSizes.source), words(kSizes.target), {.best = 2}))
      lists.append(list);
    return use(lists);
  }
  const auto bytes = kind == 0 ? std::string(input) : with_checksum(std::string(input));
  use(store::read_marian_shortlist(view(bytes), kSizes));
}

}  // namespace awend::tests
