// Word pieces, after tensor2tensor's subword builder: a smallest count is looked for by bisection,
// and for each that is tried the pieces are found in four rounds.  A round cuts the words with the
// pieces of the round before, counts the substrings that begin at a cut, and keeps those that are
// frequent beyond the longer ones they begin.
//
// What differs here: a space is written in front of a word instead of an underscore behind it, and
// the size is met to the piece, by taking the smallest count that gives enough and leaving out the
// rarest.
#include <algorithm>

#include "base/utf8.hpp"
#include "text/learn.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

constexpr int kRounds = 4;

using Counts = std::unordered_map<std::string, std::uint64_t>;

bool is_character(std::string_view piece) {
  return base::utf8_step(piece, 0).size_bytes == piece.size();
}

class WordPieceLearner {
 public:
  WordPieceLearner(std::span<const WordCount> words, std::span<const Piece> alphabet) {
    const AlphabetIndex index(alphabet);
    std::string part;
    for (const WordCount& word : words) {
      const auto end_part = [&] {
        if (!part.empty()) parts_[part] += word.count;
        part.clear();
      };
      index.for_each(word.word, [&](std::uint32_t symbol, std::string_view character) {
        if (symbol == AlphabetIndex::kNone) return end_part();
        part += character;
      });
      end_part();
    }
  }

  /// No piece is more frequent.
  std::uint64_t most() const {
    std::uint64_t sum = 0;
    for (const auto& [part, count] : parts_) sum += count;
    return sum;
  }

  // Pieces of more than one character, the most frequent first; among equals the greatest.
  std::vector<Piece> learn(std::uint64_t min_count) const {
    Counts pieces;
    for (int round = 0; round < kRounds; ++round) pieces = select(substrings(pieces), min_count);
    std::vector<Piece> sorted;
    for (const auto& [text, count] : pieces) {
      if (!is_character(text)) sorted.push_back({text, count});
    }
    std::sort(sorted.begin(), sorted.end(), [](const Piece& a, const Piece& b) {
      return a.count != b.count ? a.count > b.count : a.text > b.text;
    });
    return sorted;
  }

 private:
  // How often each substring begins where the present pieces cut.
  Counts substrings(const Counts& pieces) const {
    std::size_t longest_bytes = 1;
    for (const auto& [text, count] : pieces) longest_bytes = std::max(longest_bytes, text.size());
    Counts counts;
    for (const auto& [word, count] : parts_) {
      for (std::size_t begin = 0; begin < word.size();
           begin += piece_at(pieces, word, begin, longest_bytes)) {
        for (std::size_t end = begin; end < word.size();) {
          end += base::utf8_step(word, end).size_bytes;
          counts[word.substr(begin, end - begin)] += count;
        }
      }
    }
    return counts;
  }

  // The length of the longest piece at `begin`, or of the character there.
  static std::size_t piece_at(const Counts& pieces, const std::string& word, std::size_t begin,
                              std::size_t longest_bytes) {
    const std::size_t character = base::utf8_step(word, begin).size_bytes;
    for (std::size_t size = std::min(longest_bytes, word.size() - begin); size > character;
         --size) {
      if (pieces.contains(word.substr(begin, size))) return size;
    }
    return character;
  }

  // From the longest to the shortest: what is kept no longer counts for what it begins with.
  static Counts select(Counts counts, std::uint64_t min_count) {
    std::vector<std::vector<const std::string*>> by_size;
    for (const auto& [text, count] : counts) {
      if (by_size.size() <= text.size()) by_size.resize(text.size() + 1);
      by_size[text.size()].push_back(&text);
    }
    Counts kept;
    for (std::size_t size = by_size.size(); size-- > 0;) {
      for (const std::string* text : by_size[size]) {
        const std::uint64_t count = counts.at(*text);
        if (count < min_count) continue;
        kept.emplace(*text, count);
        for (std::size_t end = base::utf8_step(*text, 0).size_bytes; end < text->size();) {
          counts.at(text->substr(0, end)) -= count;
          end += base::utf8_step(*text, end).size_bytes;
        }
      }
    }
    return kept;
  }

  Counts parts_;  // words as pieces write them, cut at characters that are not in the alphabet
};

}  // namespace

VocabularyContent learn_word_pieces(std::span<const WordCount> words,
                                    std::span<const Piece> alphabet, const LearnSettings& settings,
                                    const LearnProgress& progress) {
  const WordPieceLearner learner(words, alphabet);
  VocabularyContent content;
  content.pieces = special_pieces();
  content.pieces.insert(content.pieces.end(), alphabet.begin(), alphabet.end());
  const std::size_t wanted = settings.size - content.pieces.size();
  // The greatest count that still gives enough pieces lies in [low, high).
  std::uint64_t low = std::max<std::uint64_t>(1, settings.min_frequency);
  std::uint64_t high = low + 1 + learner.most();
  std::vector<Piece> best = learner.learn(low);
  while (high - low > 1) {
    const std::uint64_t middle = low + std::min((high - low) / 2, 9 * low);
    std::vector<Piece> pieces = learner.learn(middle);
    if (pieces.size() < wanted) {
      high = middle;
    } else {
      low = middle;
      best = std::move(pieces);
    }
    progress(static_cast<std::uint32_t>(content.pieces.size()));
  }
  if (best.size() > wanted) best.resize(wanted);
  content.pieces.insert(content.pieces.end(), best.begin(), best.end());
  return content;
}

}  // namespace awend::text
