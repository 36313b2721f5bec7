#include "text/bert/word_pieces.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace awend::text {
namespace {

bool is_continuation(std::string_view piece) {
  return piece.starts_with(BertPieces::kContinuation);
}

}  // namespace

BertWordPieces::BertWordPieces(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id)
    longest_bytes_ = std::max(longest_bytes_, vocabulary.piece(id).size());
}

void BertWordPieces::append(std::string_view word, Ids& ids) {
  const std::size_t before = ids.size();
  bool known = !is_too_long_for_bert(word, vocabulary_.content().bert_rules);
  for (std::size_t begin = 0; known && begin < word.size();) {
    std::size_t end = std::min(word.size(), begin + longest_bytes_);
    std::optional<std::uint32_t> id;
    for (; end > begin; --end) {
      if (end < word.size() && base::is_utf8_tail(word[end])) continue;
      piece_.assign(begin > 0 ? BertPieces::kContinuation : "");
      id = vocabulary_.find(piece_.append(word, begin, end - begin));
      if (id) break;
    }
    known = id.has_value();
    if (known) ids.push_back(*id);
    begin = end;
  }
  if (known) return;
  ids.resize(before);
  ids.push_back(vocabulary_.unknown());
}

BertTokenizer::BertTokenizer(const Vocabulary& vocabulary)
    : words_(vocabulary.form().letter_case, vocabulary.content().bert_rules),
      pieces_(vocabulary),
      mask_(vocabulary.find(BertPieces::kMask)) {}

void BertTokenizer::append_text(std::string_view text) {
  for (const std::string_view word : words_.split(text)) pieces_.append(word, ids_);
}

const Ids& BertTokenizer::encode(std::string_view line) {
  ids_.clear();
  for (std::size_t at; mask_ && (at = line.find(BertPieces::kMask)) != line.npos;) {
    append_text(line.substr(0, at));
    ids_.push_back(*mask_);
    line.remove_prefix(at + BertPieces::kMask.size());
  }
  append_text(line);
  return ids_;
}

Vocabulary import_word_pieces(std::string_view list, const std::string& name,
                              LetterCase letter_case, BertRules rules) {
  VocabularyContent content;
  content.type = VocabularyType::kBert;
  content.bert_rules = rules;
  content.form = {Normalization::kNone, letter_case, ControlCharacters::kRemove};
  std::unordered_map<std::string_view, std::uint32_t> ids;
  const auto fail = [&](std::string_view what) {
    base::fail(name, ":", content.pieces.size() + 1, ": ", what);
  };
  while (!list.empty()) {
    const std::size_t end = std::min(list.find('\n'), list.size());
    std::string_view piece = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (piece.ends_with('\r')) piece.remove_suffix(1);
    if (base::find_invalid_utf8(piece) != piece.npos) fail("invalid UTF-8");
    if (piece.empty() || piece.find_first_of(" \t") != piece.npos)
      fail("a piece is empty or has white space in it");
    if (!ids.emplace(piece, ids.size()).second)
      fail(base::concat("the piece '", piece, "' is duplicated"));
    content.pieces.push_back({std::string(piece), 0});
  }
  for (const std::string_view special : BertPieces::kAll) {
    if (!ids.contains(special))
      base::fail(name, ": no piece ", special, ", which a list of word pieces of BERT contains");
  }
  content.unknown = ids.at(BertPieces::kUnknown);
  content.end_of_sentence = ids.at(BertPieces::kSeparator);
  return Vocabulary(std::move(content));
}

std::string join_word_pieces(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids) {
  std::string line;
  for (const std::uint32_t id : ids) {
    std::string_view piece = vocabulary.piece(id);
    if (piece == BertPieces::kPadding || piece == BertPieces::kClass ||
        piece == BertPieces::kSeparator) {
      continue;
    }
    if (is_continuation(piece) && !line.empty()) {
      piece.remove_prefix(BertPieces::kContinuation.size());
    } else if (!line.empty()) {
      line += ' ';
    }
    line += piece;
  }
  return line;
}

}  // namespace awend::text
