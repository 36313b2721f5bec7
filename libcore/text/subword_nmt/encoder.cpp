#include "text/subword_nmt/encoder.hpp"

#include <array>

#include "text/spaced_words.hpp"

namespace awend::text {

SubwordNmt::SubwordNmt(const SubwordNmtModel& model)
    : model_(model),
      glossaries_(model.settings().glossaries),
      merger_(model.merges()),
      joint_(model.settings().separator + " ") {}

void SubwordNmt::encode(std::string_view line, std::string& tokens) {
  // Words are looked up some time after they were announced to the cache, which prefetches memory.
  std::array<FetchedWord, 16> words;
  std::size_t count = 0;
  const auto encode_fetched = [&] {
    for (std::size_t i = 0; i < count; ++i) {
      encode_word(words[i].text, words[i].hash, tokens);
      tokens += ' ';
    }
    count = 0;
  };
  const Trimmed trimmed = trim(line);
  tokens += trimmed.before;
  for_each_word(trimmed.words, [&](std::string_view word) {
    words[count++] = {word, cache_.fetch(word)};
    if (count == words.size()) encode_fetched();
  });
  encode_fetched();
  if (!trimmed.words.empty()) tokens.pop_back();
  tokens += trimmed.after;
}

void SubwordNmt::encode(std::string_view line, SubwordNmtDropout& dropout, std::string& tokens) {
  if (dropout.probability == 0) return encode(line, tokens);
  const Trimmed trimmed = trim(line);
  tokens += trimmed.before;
  for_each_word(trimmed.words, [&](std::string_view word) {
    cut_word(word, &dropout, tokens);
    tokens += ' ';
  });
  if (!trimmed.words.empty()) tokens.pop_back();
  tokens += trimmed.after;
}

void SubwordNmt::encode_word(std::string_view word, std::string& tokens) {
  encode_word(word, text_hash(word), tokens);
}

void SubwordNmt::encode_word(std::string_view word, std::uint64_t hash, std::string& tokens) {
  const std::string_view known = cache_.find(word, hash);
  if (known.data() != nullptr) {
    tokens += known;
    return;
  }
  const std::size_t begin = tokens.size();
  cut_word(word, nullptr, tokens);
  cache_.insert(word, std::string_view(tokens).substr(begin));
}

void SubwordNmt::cut_word(std::string_view word, SubwordNmtDropout* dropout, std::string& tokens) {
  out_ = &tokens;
  first_ = true;
  if (glossaries_.empty()) return cut_part(word, dropout);
  for (const std::string_view part : glossaries_.cut(word)) {
    glossaries_.match(part) ? put(part) : cut_part(part, dropout);
  }
}

void SubwordNmt::cut_part(std::string_view part, SubwordNmtDropout* dropout) {
  if (part.size() == model_.character_size(part)) return put(part);
  symbols_.clear();
  model_.append_symbols(part, symbols_);
  if (dropout != nullptr) {
    merger_.merge_kept(symbols_, [&] { return dropout->random.uniform() > dropout->probability; });
  } else {
    merger_.merge(symbols_);
  }
  // Pieces are the texts between the ends of symbols; the last is the rest, without the </w>.
  for (std::size_t i = 0; i < symbols_.size() && !part.empty(); ++i) {
    const std::uint32_t symbol = symbols_[i];
    const bool last = i + 1 == symbols_.size();
    const std::size_t size = last                                   ? part.size()
                             : symbol == SubwordNmtModel::kNoSymbol ? model_.character_size(part)
                                                                    : model_.size_bytes(symbol);
    const std::string_view piece = part.substr(0, size);
    part.remove_prefix(size);
    if (model_.has_vocabulary()) {
      // In version 0.1 an end of word may remain as a separate symbol.
      const bool before_end = part.empty() && !last;
      put_known(piece, before_end ? model_.with_end_of_word(symbol) : symbol, part.empty());
    } else {
      put(piece);
    }
  }
}

// Appends a piece, or splits it by reverting merges until the vocabulary contains the parts.
void SubwordNmt::put_known(std::string_view piece, std::uint32_t symbol, bool last) {
  struct Part {
    std::string_view text;
    std::uint32_t symbol;
    bool last;
  };
  std::vector<Part> parts = {
      {piece, symbol, last}};  // remaining parts; the next one is at the back
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    const bool known = part.last ? model_.knows_last(part.text) : model_.knows_inner(part.text);
    const Merge* merge = known ? nullptr : model_.merge_of(part.symbol);
    if (merge == nullptr) {
      put(part.text);
      continue;
    }
    // Reverting `x</w>` of version 0.1 leaves x and an empty piece, as in subword-nmt.
    const std::size_t size = std::min(model_.size_bytes(merge->left), part.text.size());
    parts.push_back({part.text.substr(size), merge->right, part.last});
    parts.push_back({part.text.substr(0, size), merge->left, false});
  }
}

void SubwordNmt::put(std::string_view piece) {
  if (!first_) *out_ += joint_;
  first_ = false;
  *out_ += piece;
}

void join_subwords(std::string_view tokens, std::string_view separator, std::string& line) {
  if (separator.empty()) {
    line += tokens;
    return;
  }
  std::size_t from = 0;
  for (std::size_t at = tokens.find(separator); at != std::string_view::npos;) {
    const std::size_t end = at + separator.size();
    if (end < tokens.size() && tokens[end] != ' ') {
      at = tokens.find(separator, at + 1);
      continue;
    }
    line += tokens.substr(from, at - from);
    from = std::min(end + 1, tokens.size());
    at = tokens.find(separator, from);
  }
  line += tokens.substr(from);
}

}  // namespace awend::text
