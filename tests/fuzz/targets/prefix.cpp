// Lines of translate: sources, and the prefixes of their translations, as tokens of a vocabulary.
#include "base/lines.hpp"
#include "data/corpus.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "text/tokenizer.hpp"
#include "text/vocabulary.hpp"

namespace awend::tests {
namespace {

const text::Vocabulary& vocabulary() {
  static const text::Vocabulary kVocabulary = [] {
    text::VocabularyContent content;
    content.pieces = text::special_pieces();
    for (const char* piece : {"a", "b", "\xC3\xA4", "low@@"}) content.pieces.push_back({piece, 1});
    return text::Vocabulary(content);
  }();
  return kVocabulary;
}

}  // namespace

std::vector<std::string> seeds() {
  return {"a b\n\xC3\xA4 low@@ a\n", "</s> <unk>\n\n  a\tb \xE2\x80\x82 a\n"};
}

void fuzz(std::string_view input) {
  base::LineReader lines(base::InputFile("file", input));
  for (std::string_view line; lines.next(line);) {
    std::vector<std::uint32_t> ids;
    const auto unknown = data::append_ids(line, vocabulary(), ids);
    for (const auto id : ids) {
      // A text must not end a sentence early.
      if (vocabulary().is_special(id) && id != vocabulary().unknown()) std::abort();
    }
    if (!unknown.empty() && line.find(unknown) == std::string_view::npos) std::abort();
    (void)text::decode(vocabulary(), ids);
  }
}

}  // namespace awend::tests
