#include "text/learn/pair_learner.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/pair_table.hpp"

namespace awend::text {
namespace {

// The position of a word in the cells, which contain its length, the two halves of its count, and
// its symbols, so that one memory access loads all of them.
using Word = std::uint32_t;

struct PairState {
  std::uint64_t pair = 0;
  std::int64_t count = 0;
  std::pmr::vector<Word> words;  // words that contain the pair, or did so earlier
  bool is_allowed = true;        // to become a symbol
};

// The order of left1 + right1 and left2 + right2.
int compare_joined(std::string_view left1, std::string_view right1, std::string_view left2,
                   std::string_view right2) {
  if (left1.size() > left2.size()) return -compare_joined(left2, right2, left1, right1);
  const int left = left1.compare(left2.substr(0, left1.size()));
  if (left != 0) return left;
  left2.remove_prefix(left1.size());
  const int middle = right1.substr(0, left2.size()).compare(left2);
  if (middle != 0) return middle;
  return right1.substr(left2.size()).compare(right2);
}

// The changes of one merge to the pairs that share one of its symbols, grouped by the other symbol,
// so that a pair is looked up once per merge and not once per occurrence.
class Changes {
 public:
  struct Place {
    std::uint32_t symbol;
    Word word;
  };

  void add(std::uint32_t symbol, std::int64_t count) {
    if (symbol >= counts_.size()) counts_.resize(symbol + 1, 0);
    if (counts_[symbol] == 0) touched_.push_back(symbol);
    counts_[symbol] += count;
  }
  void add_at(std::uint32_t symbol, std::int64_t count, Word word) {
    add(symbol, count);
    places_.push_back({symbol, word});
  }

  /// Calls visit(symbol, count) for each change, and clears them.
  template <class Visit>
  void drain(const Visit& visit) {
    for (const std::uint32_t symbol : touched_) visit(symbol, std::exchange(counts_[symbol], 0));
    touched_.clear();
  }
  std::vector<Place>& places() { return places_; }

 private:
  std::vector<std::int64_t> counts_;  // by symbol
  std::vector<std::uint32_t> touched_;
  std::vector<Place> places_;
};

class PairLearner {
  struct Candidate {
    std::int64_t count;
    std::uint32_t state;
  };

  // The order of the heap; the greatest entry is on top.
  auto order() const {
    return [this](const Candidate& a, const Candidate& b) {
      if (a.count != b.count) return a.count < b.count;
      if (a.state == b.state) return false;
      const std::uint64_t first = states_[a.state].pair, second = states_[b.state].pair;
      if (settings_.order == MergeOrder::kShortestFirst) return is_longer(a, b);
      const int left = texts_[left_of(first)].compare(texts_[left_of(second)]);
      return left != 0 ? left < 0 : texts_[right_of(first)] < texts_[right_of(second)];
    };
  }

 public:
  PairLearner(SymbolWords words, std::vector<std::string>& texts, const MergeSettings& settings)
      : texts_(texts),
        settings_(settings),
        cells_(words.symbols.get_allocator()),
        lists_(words.symbols.get_allocator().resource()) {
    for (std::size_t symbol = 0; symbol < texts_.size(); ++symbol) {
      ids_.emplace(texts_[symbol], static_cast<std::uint32_t>(symbol));
      sizes_.push_back(static_cast<std::uint32_t>(base::count_characters(texts_[symbol])));
    }
    lay_out(words);
    count_pairs();
    for (std::uint32_t state = 0; state < states_.size(); ++state) {
      if (is_candidate(states_[state])) heap_.push_back({states_[state].count, state});
    }
    std::make_heap(heap_.begin(), heap_.end(), order());
  }

  std::vector<LearnedMerge> learn() {
    while (merges_.size() < settings_.max_merges && texts_.size() < settings_.max_symbols) {
      const auto best = pop_best();
      if (!best) break;
      if (settings_.order == MergeOrder::kShortestFirst && is_known(states_[*best].pair)) {
        states_[*best].is_allowed = false;
        continue;
      }
      merge(*best);
      if (settings_.progress) settings_.progress(merges_.size(), texts_.size());
    }
    return std::move(merges_);
  }

 private:
  static constexpr std::size_t kHeadCells = 3;  // before a word's symbols
  static constexpr std::size_t kAhead = 8;  // words are far apart, so their memory is prefetched

  bool is_candidate(const PairState& state) const {
    // SentencePiece continues with pairs that no longer occur.
    const std::int64_t min_count = settings_.order == MergeOrder::kShortestFirst ? 0 : 1;
    return state.is_allowed && state.count >= min_count &&
           static_cast<std::uint64_t>(state.count) >= settings_.min_frequency;
  }

  // The order of MergeOrder::kShortestFirst; of equal texts, the pair that was found first.
  bool is_longer(const Candidate& a, const Candidate& b) const {
    const std::uint64_t first = states_[a.state].pair, second = states_[b.state].pair;
    const std::uint32_t first_size = sizes_[left_of(first)] + sizes_[right_of(first)];
    const std::uint32_t second_size = sizes_[left_of(second)] + sizes_[right_of(second)];
    if (first_size != second_size) return first_size > second_size;
    const int order = compare_joined(texts_[left_of(first)], texts_[right_of(first)],
                                     texts_[left_of(second)], texts_[right_of(second)]);
    return order != 0 ? order > 0 : a.state > b.state;
  }

  bool is_known(std::uint64_t pair) const {
    return ids_.contains(texts_[left_of(pair)] + texts_[right_of(pair)]);
  }

  void lay_out(const SymbolWords& words) {
    const std::size_t cells = words.symbols.size() + kHeadCells * words.size();
    if (cells >= std::numeric_limits<Word>::max()) {
      base::fail("the text has too many different words: ", words.size(), " with ",
                 words.symbols.size(), " characters");
    }
    cells_.reserve(cells);
    for (std::size_t word = 0; word < words.size(); ++word) {
      const auto begin = static_cast<std::ptrdiff_t>(words.begins[word]);
      const auto end = static_cast<std::ptrdiff_t>(words.begins[word + 1]);
      cells_.push_back(static_cast<std::uint32_t>(end - begin));
      cells_.push_back(static_cast<std::uint32_t>(words.counts[word]));
      cells_.push_back(static_cast<std::uint32_t>(words.counts[word] >> 32));
      cells_.insert(cells_.end(), words.symbols.begin() + begin, words.symbols.begin() + end);
    }
  }

  std::span<std::uint32_t> symbols_of(Word word) {
    return {cells_.data() + word + kHeadCells, cells_[word]};
  }
  std::int64_t count_of(Word word) const {
    return static_cast<std::int64_t>(std::uint64_t{cells_[word + 2]} << 32 | cells_[word + 1]);
  }

  PairState& state_of(std::uint64_t pair) {
    const auto next = static_cast<std::uint32_t>(states_.size());
    const std::uint32_t state = table_.find_or_insert(pair, next);
    if (state == next) {
      const bool allowed =
          !settings_.accepts || settings_.accepts(texts_[left_of(pair)] + texts_[right_of(pair)]);
      states_.push_back({pair, 0, std::pmr::vector<Word>(&lists_), allowed});
    }
    return states_[state];
  }

  void count_pairs() {
    for (std::size_t here = 0; here < cells_.size(); here += kHeadCells + cells_[here]) {
      const auto word = static_cast<Word>(here);
      const auto symbols = symbols_of(word);
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
        PairState& state = state_of(make_pair_key(symbols[i], symbols[i + 1]));
        state.count += count_of(word);
        if (state.words.empty() || state.words.back() != word) state.words.push_back(word);
      }
    }
  }

  // The true count of a pair is always in the heap, or below an older, higher count.
  std::optional<std::uint32_t> pop_best() {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), order());
      const Candidate top = heap_.back();
      heap_.pop_back();
      const std::int64_t count = states_[top.state].count;
      if (count == top.count && states_[top.state].is_allowed) return top.state;
      if (count < top.count && is_candidate(states_[top.state])) push({count, top.state});
    }
    return std::nullopt;
  }

  void push(Candidate candidate) {
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end(), order());
  }

  std::uint32_t joined(std::uint32_t left, std::uint32_t right) {
    const auto [place, is_new] =
        ids_.emplace(texts_[left] + texts_[right], static_cast<std::uint32_t>(texts_.size()));
    if (is_new) {
      texts_.push_back(place->first);
      sizes_.push_back(sizes_[left] + sizes_[right]);
    }
    return place->second;
  }

  void merge(std::uint32_t best) {
    const std::uint64_t pair = states_[best].pair;
    const std::uint32_t left = left_of(pair), right = right_of(pair), result = joined(left, right);
    merges_.push_back({left, right, result, static_cast<std::uint64_t>(states_[best].count)});
    const std::pmr::vector<Word> words = std::move(states_[best].words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i + kAhead < words.size()) __builtin_prefetch(&cells_[words[i + kAhead]]);
      merge_in(words[i], left, right, result);
    }
    before_left_.drain(
        [&](auto other, auto count) { state_of(make_pair_key(other, left)).count -= count; });
    after_right_.drain(
        [&](auto other, auto count) { state_of(make_pair_key(right, other)).count -= count; });
    increase(before_result_, [&](auto other) { return make_pair_key(other, result); });
    increase(after_result_, [&](auto other) { return make_pair_key(result, other); });
    states_[best].count = 0;
  }

  template <class Key>
  void increase(Changes& changes, const Key& key_of) {
    for (const auto& [other, word] : changes.places()) {
      std::pmr::vector<Word>& words = state_of(key_of(other)).words;
      if (words.empty() || words.back() != word) words.push_back(word);
    }
    changes.places().clear();
    changes.drain([&](std::uint32_t other, std::int64_t count) {
      const std::uint64_t pair = key_of(other);
      PairState& state = state_of(pair);
      state.count += count;
      if (is_candidate(state)) push({state.count, table_.find(pair)});
    });
  }

  // At each occurrence, the pairs with the neighbors are removed and those with the result are
  // added; the left neighbor may itself be a result by then.
  void merge_in(Word word, std::uint32_t left, std::uint32_t right, std::uint32_t result) {
    const auto symbols = symbols_of(word);
    const std::int64_t count = count_of(word);
    std::size_t size = 0;
    for (std::size_t i = 0; i < symbols.size(); ++size) {
      if (symbols[i] != left || i + 1 == symbols.size() || symbols[i + 1] != right) {
        symbols[size] = symbols[i++];
        continue;
      }
      if (size > 0) {
        before_left_.add(symbols[size - 1], count);
        before_result_.add_at(symbols[size - 1], count, word);
      }
      if (i + 2 < symbols.size()) {
        after_right_.add(symbols[i + 2], count);
        after_result_.add_at(symbols[i + 2], count, word);
      }
      symbols[size] = result;
      i += 2;
    }
    cells_[word] = static_cast<std::uint32_t>(size);
  }

  std::vector<std::string>& texts_;
  const MergeSettings& settings_;
  std::vector<std::uint32_t> sizes_;  // of the texts, in characters
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::pmr::vector<std::uint32_t> cells_;
  std::pmr::unsynchronized_pool_resource lists_;  // memory of the lists of words
  PairTable table_;
  std::vector<PairState> states_;
  std::vector<Candidate> heap_;
  std::vector<LearnedMerge> merges_;
  Changes before_left_, after_right_, before_result_, after_result_;
};

}  // namespace

std::vector<LearnedMerge> learn_merges(SymbolWords words, std::vector<std::string>& texts,
                                       const MergeSettings& settings) {
  return PairLearner(std::move(words), texts, settings).learn();
}

}  // namespace awend::text
