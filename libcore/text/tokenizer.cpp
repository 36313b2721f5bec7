#include "text/tokenizer.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

// Zipf's law: a few thousand chunks are most of any text.
constexpr std::size_t kKnownChunks = 1 << 16;
constexpr std::size_t kKnownChunkBytes = 64;

std::variant<PairMerger, LongestMatcher> make_segmenter(const Vocabulary& vocabulary) {
  if (vocabulary.type() == VocabularyType::kBpe) return PairMerger(vocabulary);
  return LongestMatcher(vocabulary);
}

void append_decoded(const Vocabulary& vocabulary, std::uint32_t id, std::string& out) {
  if (id == Vocabulary::kUnknown) {
    base::append_code_point(out, U'\uFFFD');
  } else if (Vocabulary::is_byte(id)) {
    out += static_cast<char>(id - Vocabulary::kFirstByte);
  } else if (id != Vocabulary::kEndOfSentence) {
    std::string_view piece = vocabulary.piece(id);
    for (auto marker = piece.find(kSpaceMarker); marker != std::string_view::npos;
         marker = piece.find(kSpaceMarker)) {
      out.append(piece.substr(0, marker)) += ' ';
      piece.remove_prefix(marker + kSpaceMarker.size());
    }
    out += piece;
  }
}

}  // namespace

Tokenizer::Tokenizer(const Vocabulary& vocabulary)
    : vocabulary_(vocabulary), segmenter_(make_segmenter(vocabulary)) {}

template <class Append>
Ids Tokenizer::encode_chunks(std::string_view line, const Append& append) {
  Ids ids;
  const std::string text = with_first_space(normalize(line, vocabulary_.normalization()));
  for_each_chunk(text, [&](std::string_view chunk) { append(chunk, ids); });
  return ids;
}

Ids Tokenizer::encode(std::string_view line) {
  return encode_chunks(line, [&](std::string_view chunk, Ids& ids) {
    if (chunk.size() > kKnownChunkBytes) return append_chunk(chunk, ids);
    auto [known, is_new] = known_.try_emplace(std::string(chunk));
    if (is_new) append_chunk(chunk, known->second);
    ids.insert(ids.end(), known->second.begin(), known->second.end());
    if (known_.size() > kKnownChunks) known_.clear();
  });
}

void Tokenizer::append_chunk(std::string_view chunk, Ids& ids) {
  breaker_.cut(chunk, words_);
  for (const std::string_view word : words_) {
    std::visit([&](const auto& segmenter) { segmenter.append(word, ids); }, segmenter_);
  }
}

Ids Tokenizer::encode(std::string_view line, MergeDropout dropout) {
  const PairMerger* merger = std::get_if<PairMerger>(&segmenter_);
  base::check(merger != nullptr, "only byte pairs have merges to drop");
  return encode_chunks(line, [&](std::string_view chunk, Ids& ids) {
    breaker_.cut(chunk, words_);
    for (const std::string_view word : words_) merger->append(word, dropout, ids);
  });
}

std::string decode(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids) {
  std::string bytes;
  for (const std::uint32_t id : ids) append_decoded(vocabulary, id, bytes);
  std::string_view text = bytes;
  if (text.starts_with(' ')) text.remove_prefix(1);
  // A model may write any bytes; a line must stay one line.
  std::replace(bytes.begin(), bytes.end(), '\n', '\xFF');
  std::string line;
  base::append_valid_utf8(line, text);
  return line;
}

std::string join_pieces(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids) {
  std::string tokens;
  for (const std::uint32_t id : ids) {
    if (!tokens.empty()) tokens += ' ';
    tokens += vocabulary.piece(id);
  }
  return tokens;
}

Ids split_pieces(const Vocabulary& vocabulary, std::string_view tokens) {
  Ids ids;
  while (!tokens.empty()) {
    const std::string_view piece = tokens.substr(0, tokens.find(' '));
    tokens.remove_prefix(std::min(piece.size() + 1, tokens.size()));
    if (piece.empty()) continue;
    const auto id = vocabulary.find(piece);
    if (!id) base::fail("'", piece, "' is not a piece of the vocabulary");
    ids.push_back(*id);
  }
  return ids;
}

std::string join_words(WordBreaker& breaker, std::string_view line) {
  const std::string text = with_first_space(line);
  std::string out;
  std::vector<std::string_view> words;
  for_each_chunk(text, [&](std::string_view chunk) {
    breaker.cut(chunk, words);
    for (const std::string_view word : words) {
      if (!out.empty()) out += ' ';
      out += printed(word);
    }
  });
  return out;
}

}  // namespace awend::text
