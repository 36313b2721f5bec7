// A heap holds the pairs by count, each pair knows the words it stands in, and a merge corrects the
// counts of its neighbours only.  A count in the heap may be out of date; it is corrected when it
// comes to the top.
#include "text/pair_learner.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"

namespace awend::text {
namespace {

using Pair = std::uint64_t;  // left << 32 | right

Pair pair_of(std::uint32_t left, std::uint32_t right) {
  return Pair{left} << 32 | right;
}
std::uint32_t left_of(Pair pair) {
  return static_cast<std::uint32_t>(pair >> 32);
}
std::uint32_t right_of(Pair pair) {
  return static_cast<std::uint32_t>(pair);
}

struct PairHash {
  std::size_t operator()(Pair pair) const { return pair * 0x9E3779B97F4A7C15U >> 16; }
};

struct PairState {
  std::uint64_t count = 0;
  bool changed = false;              // by the merge that is going on
  std::vector<std::uint32_t> words;  // where it stands, or once stood
};

struct Candidate {
  std::uint64_t count;
  Pair pair;
};

class Learner {
  // The heap's order: the most frequent on top, then the greatest texts.
  auto order() const {
    return [this](const Candidate& a, const Candidate& b) {
      if (a.count != b.count) return a.count < b.count;
      const int left = texts_[left_of(a.pair)].compare(texts_[left_of(b.pair)]);
      return left != 0 ? left < 0 : texts_[right_of(a.pair)] < texts_[right_of(b.pair)];
    };
  }

 public:
  Learner(SymbolWords words, std::vector<std::string>& texts)
      : words_(std::move(words)), texts_(texts) {
    for (std::uint32_t id = 0; id < texts.size(); ++id) ids_.emplace(texts[id], id);
    base::check(ids_.size() == texts.size(), "the texts of symbols differ");
    for (std::uint32_t number = 0; number < words_.counts.size(); ++number) {
      sizes_.push_back(
          static_cast<std::uint32_t>(words_.begins[number + 1] - words_.begins[number]));
      const auto symbols = word(number);
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
        increase(pair_of(symbols[i], symbols[i + 1]), number);
    }
    for (auto& [pair, state] : pairs_) {
      state.changed = false;
      heap_.push_back({state.count, pair});
    }
    std::make_heap(heap_.begin(), heap_.end(), order());
  }

  std::vector<LearnedMerge> learn(const MergeSettings& settings) {
    std::vector<LearnedMerge> merges;
    while (merges.size() < settings.max_merges) {
      const Candidate best = pop_best();
      if (best.count < std::max<std::uint64_t>(settings.min_frequency, 1)) break;
      const std::uint32_t left = left_of(best.pair), right = right_of(best.pair);
      merges.push_back({left, right, symbol(texts_[left] + texts_[right]), best.count});
      merge(best.pair, merges.back().result);
      if (settings.progress) settings.progress(merges.size());
    }
    return merges;
  }

 private:
  std::span<std::uint32_t> word(std::uint32_t number) {
    return std::span(words_.symbols).subspan(words_.begins[number], sizes_[number]);
  }

  std::uint32_t symbol(const std::string& text) {
    const auto [place, is_new] = ids_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return place->second;
  }

  void push(Candidate candidate) {
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end(), order());
  }

  // A pair's true count is always in the heap, or below an older and higher one.
  Candidate pop_best() {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), order());
      const Candidate top = heap_.back();
      heap_.pop_back();
      const auto found = pairs_.find(top.pair);
      const std::uint64_t count = found == pairs_.end() ? 0 : found->second.count;
      if (count == top.count) return top;
      if (count > 0 && count < top.count) push({count, top.pair});
    }
    return {0, 0};
  }

  void merge(Pair pair, std::uint32_t result) {
    const std::vector<std::uint32_t> words = std::move(pairs_.at(pair).words);
    changed_.clear();
    for (const std::uint32_t number : words) merge_in(number, pair, result);
    pairs_.erase(pair);
    for (const Pair changed : changed_) {
      const auto found = pairs_.find(changed);
      if (found == pairs_.end()) continue;
      found->second.changed = false;
      push({found->second.count, changed});
    }
  }

  // From left to right without overlap.  At each place the pairs with the neighbours go and those
  // with the result come; the left neighbour may itself be a result by then.
  void merge_in(std::uint32_t number, Pair pair, std::uint32_t result) {
    const auto symbols = word(number);
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < symbols.size(); ++size) {
      const bool here = i + 1 < symbols.size() && pair_of(symbols[i], symbols[i + 1]) == pair;
      if (!here) {
        symbols[size] = symbols[i++];
        continue;
      }
      if (size > 0) {
        decrease(pair_of(symbols[size - 1], left_of(pair)), number);
        increase(pair_of(symbols[size - 1], result), number);
      }
      if (i + 2 < symbols.size()) {
        decrease(pair_of(right_of(pair), symbols[i + 2]), number);
        increase(pair_of(result, symbols[i + 2]), number);
      }
      symbols[size] = result;
      i += 2;
    }
    sizes_[number] = size;
  }

  void decrease(Pair pair, std::uint32_t number) { pairs_[pair].count -= words_.counts[number]; }

  void increase(Pair pair, std::uint32_t number) {
    PairState& state = pairs_[pair];
    state.count += words_.counts[number];
    if (state.words.empty() || state.words.back() != number) state.words.push_back(number);
    if (!std::exchange(state.changed, true)) changed_.push_back(pair);
  }

  SymbolWords words_;
  std::vector<std::uint32_t> sizes_;  // of the words, which shrink in their places
  std::vector<std::string>& texts_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::unordered_map<Pair, PairState, PairHash> pairs_;
  std::vector<Candidate> heap_;
  std::vector<Pair> changed_;
};

}  // namespace

std::vector<LearnedMerge> learn_merges(SymbolWords words, std::vector<std::string>& texts,
                                       const MergeSettings& settings) {
  return Learner(std::move(words), texts).learn(settings);
}

}  // namespace awend::text
