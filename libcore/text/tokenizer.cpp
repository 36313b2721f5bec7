#include "text/tokenizer.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

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
    : vocabulary_(vocabulary),
      segmenter_(make_segmenter(vocabulary)),
      normalizer_(vocabulary.form()) {}

// A chunk is what stands between spaces; the space in front of it is not in the text that is given
// out, because every chunk has one.
template <class Visit>
void Tokenizer::for_each_chunk(std::string_view line, const Visit& visit) {
  const std::string_view text = normalizer_.apply(line);
  if (!text.empty()) for_each_field(text, visit);
}

Ids Tokenizer::encode(std::string_view line) {
  Ids ids;
  for_each_chunk(line, [&](std::string_view chunk) {
    const auto found = ids_.get(
        chunk, [&](std::string_view unknown, Ids& answer) { append_chunk(unknown, answer); });
    ids.insert(ids.end(), found.begin(), found.end());
  });
  return ids;
}

void Tokenizer::append_tokens(std::string_view line, std::string& tokens) {
  const std::size_t begin = tokens.size();
  Ids ids;
  for_each_chunk(line, [&](std::string_view chunk) {
    const auto found = tokens_.get(chunk, [&](std::string_view unknown, std::vector<char>& answer) {
      ids.clear();
      append_chunk(unknown, ids);
      const std::string text = join_pieces(vocabulary_, ids);
      answer.insert(answer.end(), text.begin(), text.end());
    });
    if (tokens.size() > begin) tokens += ' ';
    tokens.append(found.data(), found.size());
  });
}

void Tokenizer::append_chunk(std::string_view chunk, Ids& ids) {
  spaced_.assign(1, ' ').append(chunk);
  breaker_.cut(spaced_, words_);
  for (const std::string_view word : words_) {
    std::visit([&](const auto& segmenter) { segmenter.append(word, ids); }, segmenter_);
  }
}

Ids Tokenizer::encode(std::string_view line, MergeDropout dropout) {
  const PairMerger* merger = std::get_if<PairMerger>(&segmenter_);
  base::check(merger != nullptr, "only byte pairs have merges to drop");
  Ids ids;
  for_each_chunk(line, [&](std::string_view chunk) {
    spaced_.assign(1, ' ').append(chunk);
    breaker_.cut(spaced_, words_);
    for (const std::string_view word : words_) merger->append(word, dropout, ids);
  });
  return ids;
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
