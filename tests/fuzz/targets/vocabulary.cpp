// Vocabulary files of all types, and their use.
#include "text/vocabulary.hpp"

#include "tests/fuzz/targets/target.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"
#include "text/import.hpp"
#include "text/tokenizer.hpp"

namespace awend::tests {

using namespace text;

std::vector<std::string> seeds() {
  VocabularyContent pairs;
  pairs.pieces = special_pieces();
  const auto first = static_cast<std::uint32_t>(pairs.pieces.size());
  for (const char* piece : {"a", "b", "ab", "ä", "abä"}) pairs.pieces.push_back({piece, 1});
  pairs.merges = {{first, first + 1, first + 2}, {first + 2, first + 3, first + 4}};
  VocabularyContent multilingual;
  multilingual.type = VocabularyType::kTokens;
  for (const char* piece : {"<unk>", "</s>", "a", "__de__"})
    multilingual.pieces.push_back({piece, 0});
  multilingual.languages = {{"de", 3}};
  return {Vocabulary(pairs).serialize(), Vocabulary(multilingual).serialize(),
          import_codes({.codes = "#version: 0.2\nl o\nlo w</w>\n",
                        .glossaries = {"x+"},
                        .pieces = {{"low", 3}, {"lo@@", 2}, {"s", 1}}})
              .serialize(),
          import_model(small_model(ModelKind::kBpe), "model").serialize()};
}

void fuzz(std::string_view input) {
  const auto vocabulary = Vocabulary::parse(input, "file");
  (void)Vocabulary::parse(vocabulary.serialize(), "again");
  if (!is_reversible(vocabulary.type())) return;
  Tokenizer tokenizer(vocabulary);
  (void)decode(vocabulary, tokenizer.encode("ab a low\tone ä"));
}

}  // namespace awend::tests
