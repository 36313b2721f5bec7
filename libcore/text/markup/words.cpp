#include "text/markup/words.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "text/characters.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

bool is_white(std::string_view word) {
  for (std::size_t i = 0; i < word.size();) {
    const auto step = base::utf8_step(word, i);
    if (!is_separator(step.code_point) && !is_control(step.code_point)) return false;
    i += step.size_bytes;
  }
  return true;
}

bool begins_with_digit(std::string_view word) {
  return is_digit(base::utf8_step(word, 0).code_point);
}

class Words {
 public:
  Words(std::string_view text, WordBreaker& breaker) : text_(text), breaker_(breaker) {}

  void add(TextRange range) {
    const auto chunk = range.of(text_);
    std::size_t at = range.begin;
    for_each_field(chunk, [&](std::string_view field) {
      breaker_.cut(field, cut_);
      for (const std::string_view word : cut_) {
        if (!is_white(word)) append({at, at + word.size()});
        at += word.size();
      }
      ++at;  // the space
    });
  }
  void add_whole(TextRange range) {
    words_.push_back(range);
    last_ = Last::kOther;
  }
  std::vector<TextRange> finish() { return std::move(words_); }

 private:
  enum class Last { kOther, kNumber, kNumberAndMark };

  /// Joins the digits of a number, and marks between them.
  void append(TextRange word) {
    const bool adjoins = !words_.empty() && words_.back().end == word.begin;
    if (begins_with_digit(word.of(text_))) {
      if (adjoins && last_ == Last::kNumberAndMark) words_.pop_back();
      if (adjoins && last_ != Last::kOther) {
        words_.back().end = word.end;
      } else {
        words_.push_back(word);
      }
      last_ = Last::kNumber;
      return;
    }
    const char mark = word.size() == 1 ? text_[word.begin] : ' ';
    const bool may_join = mark == '.' || mark == ',' || mark == ':';
    last_ = may_join && adjoins && last_ == Last::kNumber ? Last::kNumberAndMark : Last::kOther;
    words_.push_back(word);
  }

  std::string_view text_;
  WordBreaker& breaker_;
  std::vector<std::string_view> cut_;
  std::vector<TextRange> words_;
  Last last_ = Last::kOther;
};

/// Characters that are not white space; a byte in the spelling `<0xE2>` is one if it begins one.
std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto step = base::utf8_step(text, i);
    count += is_separator(step.code_point) || is_control(step.code_point) ? 0 : 1;
    i += step.size_bytes;
  }
  return count;
}

struct TokenText {
  std::size_t characters = 0;
  bool begins_word = false;  // after a space
};

class TokenTexts {
 public:
  explicit TokenTexts(const Vocabulary& vocabulary)
      : separator_(vocabulary.type() == VocabularyType::kSubwordNmt
                       ? std::string_view(vocabulary.content().separator)
                       : std::string_view()),
        has_words_(vocabulary.type() == VocabularyType::kTokens &&
                   vocabulary.content().model.empty()) {}

  TokenText read(std::string_view token) {
    TokenText text;
    if (!separator_.empty()) {
      text.begins_word = !continues_;
      continues_ = token.ends_with(separator_);
      if (continues_) token.remove_suffix(separator_.size());
    } else if (has_words_) {
      text.begins_word = true;
    } else if (token.starts_with(kSpaceMarker)) {
      text.begins_word = true;
      token.remove_prefix(kSpaceMarker.size());
    }
    text.characters = is_byte(token) ? (begins_character(token) ? 1 : 0) : count_characters(token);
    return text;
  }

 private:
  static bool is_byte(std::string_view token) {
    return token.size() == 6 && token.starts_with("<0x") && token.ends_with('>');
  }
  /// Of a byte: not one of 80 to BF.
  static bool begins_character(std::string_view token) {
    return !(token[3] == '8' || token[3] == '9' || token[3] == 'A' || token[3] == 'B');
  }

  std::string_view separator_;
  bool has_words_, continues_ = false;
};

/// A text between spaces.
struct Chunk {
  std::size_t first = 0;  // character of the text
  std::size_t characters = 0;
};

std::vector<Chunk> chunks_of(std::string_view text) {
  std::vector<Chunk> chunks;
  std::size_t first = 0;
  for_each_field(text, [&](std::string_view field) {
    const auto characters = count_characters(field);
    if (characters > 0) chunks.push_back({first, characters});
    first += characters;
  });
  return chunks;
}

std::vector<Chunk> chunks_of(std::span<const TokenText> tokens) {
  std::vector<Chunk> chunks;
  std::size_t first = 0;
  for (const auto& token : tokens) {
    if (chunks.empty() || token.begins_word) chunks.push_back({first, 0});
    chunks.back().characters += token.characters;
    first += token.characters;
  }
  std::erase_if(chunks, [](const Chunk& chunk) { return chunk.characters == 0; });
  return chunks;
}

/// Maps characters of the tokens to those of the text: by the words of both if there are as many,
/// otherwise in proportion.  Requires calls with increasing characters.
class CharacterMap {
 public:
  CharacterMap(std::string_view text, std::span<const TokenText> tokens)
      : from_(chunks_of(tokens)), to_(chunks_of(text)) {
    if (from_.size() == to_.size()) return;
    from_ = {whole(from_)};
    to_ = {whole(to_)};
  }

  std::size_t map(std::size_t character) {
    if (from_.empty()) return 0;
    while (chunk_ + 1 < from_.size() && from_[chunk_ + 1].first <= character) ++chunk_;
    const Chunk &from = from_[chunk_], &to = to_[chunk_];
    return to.first +
           (character - from.first) * to.characters / std::max<std::size_t>(from.characters, 1);
  }

 private:
  static Chunk whole(const std::vector<Chunk>& chunks) {
    if (chunks.empty()) return {};
    return {0, chunks.back().first + chunks.back().characters};
  }

  std::vector<Chunk> from_, to_;
  std::size_t chunk_ = 0;
};

}  // namespace

std::vector<TextRange> markup_words(std::string_view text, std::span<const TextRange> whole,
                                    WordBreaker& breaker) {
  Words words(text, breaker);
  std::size_t done = 0;
  for (const TextRange& range : whole) {
    words.add({done, range.begin});
    words.add_whole(range);
    done = range.end;
  }
  words.add({done, text.size()});
  return words.finish();
}

std::vector<std::uint32_t> words_of_tokens(const Vocabulary& vocabulary,
                                           std::span<const std::string> tokens,
                                           std::string_view text,
                                           std::span<const TextRange> words) {
  std::vector<TokenText> texts;
  TokenTexts reader(vocabulary);
  for (const auto& token : tokens) texts.push_back(reader.read(token));
  CharacterMap map(text, texts);
  std::vector<std::size_t> ends;  // of the words, in characters
  std::size_t characters = 0;
  for (const TextRange& word : words) ends.push_back(characters += count_characters(word.of(text)));
  std::vector<std::uint32_t> numbers;
  std::size_t word = 0, character = 0;
  for (const auto& token : texts) {
    // The later bytes of a character are where it is.
    if (token.characters == 0 && !token.begins_word && !numbers.empty()) {
      numbers.push_back(numbers.back());
      continue;
    }
    const std::size_t place = map.map(character);
    while (word + 1 < words.size() && ends[word] <= place) ++word;
    numbers.push_back(static_cast<std::uint32_t>(word));
    character += token.characters;
  }
  return numbers;
}

}  // namespace awend::text
