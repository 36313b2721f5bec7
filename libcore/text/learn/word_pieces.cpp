// Word pieces, after the subword builder of tensor2tensor: bisection finds a minimum count, and for
// each candidate the pieces are determined in four rounds.  A round splits the words with the
// pieces of the round before, counts the substrings that begin at a split, and keeps those that are
// frequent in addition to the longer ones that begin with them.
//
// Differences: a word begins with a space instead of ending in an underscore, and the size is
// exact: the smallest count that gives enough pieces is used, and the rarest pieces are dropped.
//
// Substrings are never listed.  All suffixes of all words are sorted once; a substring then
// corresponds to a range of the sorted suffixes that begin with it, and ranges nest like the nodes
// of a tree.  Of the substrings with the same range, only the longest can be kept, so a round is
// one pass over the sorted suffixes.
#include <algorithm>
#include <numeric>

#include "text/learn/learn.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

constexpr int kRounds = 4;

class WordPieceLearner {
 public:
  WordPieceLearner(std::span<const WordCount> words, std::span<const Piece> alphabet)
      : alphabet_(alphabet) {
    const AlphabetIndex index(alphabet);
    for (const WordCount& word : words) {
      // A word is split into parts at characters that are not in the alphabet.
      index.for_each(word.word, [&](std::uint32_t symbol, std::string_view) {
        symbol == AlphabetIndex::kNone ? end_part(word.count) : symbols_.push_back(symbol);
      });
      end_part(word.count);
    }
    sort_suffixes();
    longest_.resize(symbols_.size());
  }

  /// An upper bound for the count of a piece.
  std::uint64_t max_count() const {
    return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  }

  // Pieces of more than one character, the most frequent first; of equally frequent ones, the
  // greatest.
  std::vector<Piece> learn(std::uint64_t min_count) {
    std::fill(longest_.begin(), longest_.end(), 1);
    std::vector<Stretch> kept;
    for (int round = 0; round < kRounds; ++round) {
      kept = select(min_count);
      // Nested ranges come first.
      std::fill(longest_.begin(), longest_.end(), 1);
      for (auto stretch = kept.rbegin(); stretch != kept.rend(); ++stretch) {
        for (std::uint32_t i = stretch->first; i <= stretch->last; ++i)
          longest_[order_[i]] = stretch->length;
      }
    }
    std::vector<Piece> pieces;
    for (const Stretch& stretch : kept) {
      if (stretch.length > 1) pieces.push_back({text_of(stretch), stretch.count});
    }
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
      return a.count != b.count ? a.count > b.count : a.text > b.text;
    });
    return pieces;
  }

 private:
  static constexpr std::uint32_t kEnd = 0xFFFFFFFF;  // after each part

  // The suffixes order_[first .. last] begin with the same `length` symbols.
  struct Stretch {
    std::uint32_t length, first, last;
    std::uint64_t count;
  };

  void end_part(std::uint64_t count) {
    if (symbols_.empty() || symbols_.back() == kEnd) return;
    symbols_.push_back(kEnd);
    if (symbols_.size() >= kEnd)
      base::fail("the text has too many different words for word pieces");
    begins_.push_back(next_begin_);
    next_begin_ = static_cast<std::uint32_t>(symbols_.size());
    counts_.push_back(count);
  }

  std::uint32_t common_length(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t length = 0;
    while (symbols_[a + length] != kEnd && symbols_[a + length] == symbols_[b + length]) ++length;
    return length;
  }

  void sort_suffixes() {
    for (std::uint32_t i = 0; i < symbols_.size(); ++i) {
      if (symbols_[i] != kEnd) order_.push_back(i);
    }
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t length = common_length(a, b);
      const std::uint32_t left = symbols_[a + length], right = symbols_[b + length];
      // The end sorts before every symbol.
      return left != right ? left + 1 < right + 1 : a < b;
    });
    common_.resize(order_.size());
    for (std::size_t i = 1; i < order_.size(); ++i)
      common_[i] = common_length(order_[i - 1], order_[i]);
  }

  // The count of the word if it is split before each position; otherwise 0.
  std::vector<std::uint64_t> counts_at_cuts() const {
    std::vector<std::uint64_t> counts(symbols_.size());
    for (std::size_t part = 0; part < begins_.size(); ++part) {
      for (std::uint32_t i = begins_[part]; symbols_[i] != kEnd; i += longest_[i])
        counts[i] = counts_[part];
    }
    return counts;
  }

  // From the longest to the shortest: occurrences of a kept piece do not count for its prefixes.
  std::vector<Stretch> select(std::uint64_t min_count) const {
    struct Node {
      std::uint32_t length, first;
      std::uint64_t count = 0, taken = 0;  // all occurrences, and those of kept longer pieces
    };
    const std::vector<std::uint64_t> counts = counts_at_cuts();
    std::vector<Stretch> kept;
    std::vector<Node> open = {{0, 0}};  // each nested in the one before it
    const auto close = [&](std::uint32_t last) {
      Node node = open.back();
      open.pop_back();
      if (node.count - node.taken >= min_count) {
        kept.push_back({node.length, node.first, last, node.count - node.taken});
        node.taken = node.count;
      }
      return node;
    };
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t common = common_[i];
      while (open.back().length > common) {
        const Node inner = close(i - 1);
        if (open.back().length < common) open.push_back({common, inner.first});
        open.back().count += inner.count;
        open.back().taken += inner.taken;
      }
      const std::uint32_t length = length_of(order_[i]);
      if (length > common) open.push_back({length, i});
      open.back().count += counts[order_[i]];
    }
    while (open.size() > 1) {
      const Node inner = close(static_cast<std::uint32_t>(order_.size() - 1));
      open.back().count += inner.count;
      open.back().taken += inner.taken;
    }
    return kept;
  }

  std::uint32_t length_of(std::uint32_t suffix) const {
    std::uint32_t length = 0;
    while (symbols_[suffix + length] != kEnd) ++length;
    return length;
  }

  std::string text_of(const Stretch& stretch) const {
    std::string text;
    for (std::uint32_t i = 0; i < stretch.length; ++i)
      text += alphabet_[symbols_[order_[stretch.first] + i]].text;
    return text;
  }

  std::span<const Piece> alphabet_;
  std::vector<std::uint32_t> symbols_;  // of the parts, concatenated, each followed by kEnd
  std::vector<std::uint32_t> begins_;   // of the parts
  std::vector<std::uint64_t> counts_;   // of the parts
  std::uint32_t next_begin_ = 0;
  std::vector<std::uint32_t> order_;    // the suffixes, sorted
  std::vector<std::uint32_t> common_;   // length of the common prefix with the suffix before it
  std::vector<std::uint32_t> longest_;  // the piece at each position
};

}  // namespace

VocabularyContent learn_word_pieces(std::span<const WordCount> words,
                                    std::span<const Piece> alphabet, const LearnSettings& settings,
                                    const LearnProgress& progress) {
  WordPieceLearner learner(words, alphabet);
  VocabularyContent content = first_pieces(settings);
  content.pieces.insert(content.pieces.end(), alphabet.begin(), alphabet.end());
  const std::size_t wanted = settings.size - content.pieces.size();
  // The greatest count that still gives enough pieces is in [low, high).
  std::uint64_t low = std::max<std::uint64_t>(1, settings.min_frequency);
  std::uint64_t high = low + 1 + learner.max_count();
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
