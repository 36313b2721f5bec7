#include "text/tokenizer.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/numbers.hpp"
#include "base/utf8.hpp"
#include "text/spaced_words.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

void append_decoded(const Vocabulary& vocabulary, std::uint32_t id, std::string& out) {
  if (id == Vocabulary::kUnknown) {
    base::append_code_point(out, U'\uFFFD');
  } else if (Vocabulary::is_byte(id)) {
    out += static_cast<char>(id - Vocabulary::kFirstByte);
  } else if (id != Vocabulary::kEndOfSentence && !vocabulary.is_control_symbol(id)) {
    out += base::replaced(vocabulary.piece(id), kSpaceMarker, " ");
  }
}

}  // namespace

Tokenizer::Tokenizer(const Vocabulary& vocabulary)
    : vocabulary_(vocabulary),
      symbols_(user_symbols_of(vocabulary)),
      first_symbol_(vocabulary.first_user_symbol()),
      normalizer_(vocabulary.form()) {
  base::check(is_reversible(vocabulary.type()), "the vocabulary is reversible");
  if (vocabulary.type() == VocabularyType::kBpe) {
    segmenter_.emplace<PairMerger>(vocabulary);
  } else {
    segmenter_.emplace<LongestMatcher>(vocabulary);
  }
}

void Tokenizer::append_word(std::string_view word) {
  if (auto* merger = std::get_if<PairMerger>(&segmenter_)) return merger->append(word, ids_);
  std::get<LongestMatcher>(segmenter_).append(word, ids_);
}

template <class Append>
void Tokenizer::for_each_word_of(std::string_view chunk, Ids& ids, const Append& append) {
  spaced_.assign(1, ' ').append(chunk);
  symbols_.split(spaced_, [&](std::string_view part, std::optional<std::size_t> symbol) {
    if (symbol) return ids.push_back(first_symbol_ + static_cast<std::uint32_t>(*symbol));
    breaker_.cut(part, words_);
    for (const std::string_view word : words_) append(word);
  });
}

// The leading space of a chunk is not part of its text, because every chunk has one.
const Ids& Tokenizer::encode_chunk(std::string_view chunk) {
  ids_.clear();
  for_each_word_of(chunk, ids_, [&](std::string_view word) { append_word(word); });
  return ids_;
}

Ids Tokenizer::encode(std::string_view line) {
  Ids ids;
  const std::string_view text = normalizer_.apply(line);
  if (text.empty()) return ids;
  for_each_field(text, [&](std::string_view chunk) {
    encode_chunk(chunk);
    ids.insert(ids.end(), ids_.begin(), ids_.end());
  });
  return ids;
}

Ids Tokenizer::encode(std::string_view line, MergeDropout dropout) {
  PairMerger* merger = std::get_if<PairMerger>(&segmenter_);
  base::check(merger != nullptr, "only byte pairs have merges to drop");
  Ids ids;
  const std::string_view text = normalizer_.apply(line);
  if (text.empty()) return ids;
  for_each_field(text, [&](std::string_view chunk) {
    for_each_word_of(chunk, ids,
                     [&](std::string_view word) { merger->append(word, dropout, ids); });
  });
  return ids;
}

template <class Print>
void Tokenizer::append_chunks(std::string_view line, std::string_view separator, const Print& print,
                              std::string& out) {
  const std::string_view text = normalizer_.apply(line);
  // All words are prefetched before the first is looked up.
  fetched_.clear();
  if (text.empty()) return;
  for_each_field(text, [&](std::string_view chunk) {
    fetched_.push_back({chunk, cache_.fetch(chunk)});
  });
  bool is_first = true;
  for (const auto& [chunk, hash] : fetched_) {
    if (!std::exchange(is_first, false)) out += separator;
    const std::string_view known = cache_.find(chunk, hash);
    if (known.data() != nullptr) {
      out += known;
    } else {
      const std::size_t begin = out.size();
      print(encode_chunk(chunk), out);
      cache_.insert(chunk, std::string_view(out).substr(begin));
    }
  }
}

void Tokenizer::append_pieces(std::string_view line, std::string& tokens) {
  append_chunks(
      line, " ",
      [&](const Ids& ids, std::string& out) { text::append_pieces(vocabulary_, ids, out); },
      tokens);
}

void Tokenizer::append_ids(std::string_view line, Ids& ids) {
  bytes_.clear();
  append_chunks(
      line, "", [](const Ids& chunk, std::string& out) { append_bytes(chunk, out); }, bytes_);
  append_ids_of_bytes(bytes_, ids);
}

void append_pieces(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids,
                   std::string& out) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i > 0) out += ' ';
    out += vocabulary.piece(ids[i]);
  }
}

void append_numbers(std::span<const std::uint32_t> ids, std::string& out) {
  char digits[16];
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i > 0) out += ' ';
    out.append(digits, std::to_chars(digits, std::end(digits), ids[i]).ptr);
  }
}

Ids read_numbers(std::string_view line, std::uint32_t size) {
  Ids ids;
  for_each_word(line, [&](std::string_view word) {
    const auto id = base::to_number<std::uint32_t>(word, "an id");
    if (id >= size) base::fail("id ", id, " is out of range (vocabulary size ", size, ")");
    ids.push_back(id);
  });
  return ids;
}

std::string decode(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids) {
  std::string bytes;
  for (const std::uint32_t id : ids) append_decoded(vocabulary, id, bytes);
  std::string_view text = bytes;
  if (text.starts_with(' ')) text.remove_prefix(1);
  // A model may produce any bytes, but a line must remain one line.
  std::replace(bytes.begin(), bytes.end(), '\n', '\xFF');
  std::string line;
  base::append_valid_utf8(line, text);
  return line;
}

std::string join_pieces(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids) {
  std::string tokens;
  append_pieces(vocabulary, ids, tokens);
  return tokens;
}

Ids split_pieces(const Vocabulary& vocabulary, std::string_view tokens) {
  Ids ids;
  for_each_word(tokens, [&](std::string_view piece) {
    const auto id = vocabulary.find(piece);
    if (!id && is_reversible(vocabulary.type()))
      base::fail("'", piece, "' is not a piece of the vocabulary");
    ids.push_back(id.value_or(vocabulary.unknown()));
  });
  return ids;
}

std::string join_words(WordBreaker& breaker, std::string_view line) {
  std::string out, spaced;
  if (line.empty()) return out;
  std::vector<std::string_view> words;
  for_each_field(line, [&](std::string_view chunk) {
    spaced.assign(1, ' ').append(chunk);
    breaker.cut(spaced, words);
    for (const std::string_view word : words) {
      if (!out.empty()) out += ' ';
      out += printed(word);
    }
  });
  return out;
}

}  // namespace awend::text
