// Construction of the model of SubwordNmt: symbols get numbers; equal texts share a number, because
// in subword-nmt a symbol is its text.
#include <unordered_map>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/subword_nmt/encoder.hpp"

namespace awend::text {

class SubwordNmtModel::Builder {
 public:
  Builder(SubwordNmtModel& model, const SubwordNmtCodes& codes) : model_(model) {
    model_.sizes_.push_back(0);  // kNoSymbol
    model_.origins_.push_back(MergeTable::kNoRank);
    for (const auto& [left, right] : codes.merges) {
      const std::uint32_t first = symbol(left), second = symbol(right);
      merges_.push_back({first, second, symbol(left + right)});
    }
    for (std::uint32_t rank = 0; rank < merges_.size(); ++rank) {
      auto& origin = model_.origins_[merges_[rank].result];
      origin = std::min(origin, rank);
    }
    model_.characters_.resize(256);
    if (!model_.bytes_) model_.pages_.resize((0x10FFFF >> 8) + 1);
    for (const auto& [text, number] : ids_) add_character(text, number);
    model_.with_end_.resize(model_.separate_end_of_word_ ? model_.sizes_.size() : 0);
    for (const auto& [text, number] : ids_) set_end(text, number);
    model_.merges_ = MergeTable(std::move(merges_));
  }

 private:
  std::uint32_t symbol(const std::string& text) {
    const auto [place, is_new] =
        ids_.emplace(text, static_cast<std::uint32_t>(model_.sizes_.size()));
    if (is_new) {
      if (model_.sizes_.size() >> 31 != 0) base::fail("codes have more than 2^31 symbols");
      model_.sizes_.push_back(static_cast<std::uint32_t>(text.size()));
      model_.origins_.push_back(MergeTable::kNoRank);
    }
    return place->second;
  }

  // If the symbol is a character, by itself or at the end of a word, words may begin with it.
  void add_character(std::string_view text, std::uint32_t number) {
    if (text == kEndOfWord) model_.end_of_word_ = number;
    const std::size_t size = model_.character_size(text);
    if (text.size() == size) page_of(text).inner = number;
    if (!model_.separate_end_of_word_ && text.substr(size) == kEndOfWord)
      page_of(text).last = number;
  }

  void set_end(std::string_view text, std::uint32_t number) {
    if (!model_.separate_end_of_word_ || !text.ends_with(kEndOfWord)) return;
    text.remove_suffix(kEndOfWord.size());
    const auto found = ids_.find(std::string(text));
    if (found != ids_.end()) model_.with_end_[found->second] = number;
  }

  Character& page_of(std::string_view text) {
    if (model_.bytes_) return model_.characters_[static_cast<unsigned char>(text[0])];
    const char32_t code_point = base::utf8_step(text, 0).code_point;
    std::uint32_t& page = model_.pages_[code_point >> 8];
    if (page == 0) {
      page = static_cast<std::uint32_t>(model_.characters_.size() >> 8);
      model_.characters_.resize(model_.characters_.size() + 256);
    }
    return model_.characters_[page << 8 | (code_point & 0xFF)];
  }

  SubwordNmtModel& model_;
  std::vector<Merge> merges_;
  std::unordered_map<std::string, std::uint32_t> ids_;
};

SubwordNmtModel::SubwordNmtModel(const SubwordNmtCodes& codes, SubwordNmtSettings settings)
    : settings_(std::move(settings)),
      bytes_(codes.bytes),
      separate_end_of_word_(codes.separate_end_of_word) {
  const Glossaries checked(settings_.glossaries);
  Builder(*this, codes);
  if (settings_.vocabulary) set_vocabulary();
}

void SubwordNmtModel::set_vocabulary() {
  for (const PieceCount& piece : *settings_.vocabulary) {
    if (piece.count < settings_.vocabulary_threshold) continue;
    last_.insert(piece.piece);
    if (piece.piece.ends_with(settings_.separator))
      inner_.insert(piece.piece.substr(0, piece.piece.size() - settings_.separator.size()));
  }
  if (last_.empty())
    throw base::UsageError(base::concat("the vocabulary has no piece with a count of at least ",
                                        settings_.vocabulary_threshold));
}

std::size_t SubwordNmtModel::character_size(std::string_view text) const {
  return bytes_ ? 1 : base::utf8_step(text, 0).size_bytes;
}

void SubwordNmtModel::append_symbols(std::string_view word,
                                     std::vector<std::uint32_t>& symbols) const {
  const Character* last = nullptr;
  const auto append = [&](const Character& character) {
    symbols.push_back(character.inner);
    last = &character;
  };
  for (std::size_t at = 0; at < word.size();) {
    const auto byte = static_cast<unsigned char>(word[at]);
    if (bytes_) {
      append(characters_[byte]);
      ++at;
    } else if (byte < 0x80) {
      append(character(byte));
      ++at;
    } else {
      const base::Utf8Step step = base::utf8_step(word, at);
      append(character(step.code_point));
      at += step.size_bytes;
    }
  }
  if (separate_end_of_word_) {
    symbols.push_back(end_of_word_);
  } else if (last != nullptr) {
    symbols.back() = last->last;
  }
}

const Merge* SubwordNmtModel::merge_of(std::uint32_t symbol) const {
  const std::uint32_t rank = origins_[symbol];
  return rank == MergeTable::kNoRank ? nullptr : &merges_.merge(rank);
}

}  // namespace awend::text
