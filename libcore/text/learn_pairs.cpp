// Byte pair encoding, exactly and without counting anything twice: a heap holds the pairs by count,
// each pair knows the parts it stands in, and a merge corrects the counts of its neighbours only.
// Counts in the heap may be out of date; one that is gets corrected when it comes to the top.
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/learn.hpp"

namespace awend::text {
namespace {

using Pair = std::uint64_t;  // left << 32 | right

Pair make_pair_of(std::uint32_t left, std::uint32_t right) {
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
  std::int64_t count = 0;
  bool changed = false;              // by the merge that is going on
  std::vector<std::uint32_t> parts;  // where it stands, or once stood
};

struct Candidate {
  std::int64_t count;
  Pair pair;
};

class PairLearner {
  // The heap's order: by count, then by the texts of the pair, the greater on top.  The order of
  // UTF-8 bytes is that of code points.
  auto order() const {
    return [this](const Candidate& a, const Candidate& b) {
      if (a.count != b.count) return a.count < b.count;
      const int left = text(left_of(a.pair)).compare(text(left_of(b.pair)));
      return left != 0 ? left < 0 : text(right_of(a.pair)) < text(right_of(b.pair));
    };
  }

 public:
  PairLearner(const LearnInput& input, const LearnSettings& settings) : settings_(settings) {
    content_.pieces = special_pieces();
    for (std::size_t id = 0; id < content_.pieces.size(); ++id)
      add_id(content_.pieces[id].text, id);
    for (const Piece& character : input.alphabet) add_piece(character.text);
    parts_.reserve(input.parts.size());
    for (const WordCount& part : input.parts) add_part(part);
    for (const auto& [pair, state] : pairs_) heap_.push_back({state.count, pair});
    std::make_heap(heap_.begin(), heap_.end(), order());
  }

  VocabularyContent learn(const LearnProgress& progress) {
    while (content_.pieces.size() < settings_.size) {
      const Candidate best = pop_best();
      if (best.count < static_cast<std::int64_t>(settings_.min_frequency) || best.count == 0) break;
      merge(best.pair);
      progress(static_cast<std::uint32_t>(content_.pieces.size()));
    }
    return std::move(content_);
  }

 private:
  struct Part {
    std::vector<std::uint32_t> symbols;
    std::int64_t count;
  };

  void add_id(const std::string& text, std::size_t id) {
    ids_.emplace(text, static_cast<std::uint32_t>(id));
  }

  // Two merges may lead to the same text; it is one piece all the same.
  std::uint32_t add_piece(const std::string& text) {
    const auto [place, is_new] =
        ids_.emplace(text, static_cast<std::uint32_t>(content_.pieces.size()));
    if (is_new) content_.pieces.push_back({text, 0});
    return place->second;
  }

  void add_part(const WordCount& word) {
    Part part{{}, static_cast<std::int64_t>(word.count)};
    for (std::size_t position = 0; position < word.word.size();) {
      const std::size_t size_bytes = base::utf8_step(word.word, position).size_bytes;
      part.symbols.push_back(ids_.at(word.word.substr(position, size_bytes)));
      position += size_bytes;
    }
    const auto number = static_cast<std::uint32_t>(parts_.size());
    for (std::size_t i = 0; i + 1 < part.symbols.size(); ++i) {
      PairState& state = pairs_[make_pair_of(part.symbols[i], part.symbols[i + 1])];
      state.count += part.count;
      if (state.parts.empty() || state.parts.back() != number) state.parts.push_back(number);
    }
    parts_.push_back(std::move(part));
  }

  const std::string& text(std::uint32_t id) const { return content_.pieces[id].text; }

  void push(Candidate candidate) {
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end(), order());
  }

  // A pair's true count is always in the heap or below an older, higher one.
  Candidate pop_best() {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), order());
      const Candidate top = heap_.back();
      heap_.pop_back();
      const auto found = pairs_.find(top.pair);
      const std::int64_t count = found == pairs_.end() ? 0 : found->second.count;
      if (count == top.count) return top;
      if (count > 0 && count < top.count) push({count, top.pair});
    }
    return {0, 0};
  }

  void merge(Pair pair) {
    const auto found = pairs_.find(pair);
    const std::vector<std::uint32_t> parts = std::move(found->second.parts);
    const std::uint32_t result = add_piece(text(left_of(pair)) + text(right_of(pair)));
    content_.merges.push_back({left_of(pair), right_of(pair), result});
    changed_.clear();
    for (const std::uint32_t part : parts) merge_in(part, pair, result);
    pairs_.erase(pair);
    for (const Pair changed : changed_) {
      const auto place = pairs_.find(changed);
      if (place == pairs_.end()) continue;
      place->second.changed = false;
      push({place->second.count, changed});
    }
  }

  // From left to right without overlap.  At each place the pairs with the neighbours go and those
  // with the result come; the left neighbour may itself be a result by then.
  void merge_in(std::uint32_t number, Pair pair, std::uint32_t result) {
    Part& part = parts_[number];
    std::vector<std::uint32_t>& symbols = part.symbols;
    std::size_t size = 0;
    for (std::size_t i = 0; i < symbols.size(); ++size) {
      const bool here = i + 1 < symbols.size() && make_pair_of(symbols[i], symbols[i + 1]) == pair;
      if (!here) {
        symbols[size] = symbols[i++];
        continue;
      }
      if (size > 0) {
        decrease(make_pair_of(symbols[size - 1], left_of(pair)), part.count);
        increase(make_pair_of(symbols[size - 1], result), number);
      }
      if (i + 2 < symbols.size()) {
        decrease(make_pair_of(right_of(pair), symbols[i + 2]), part.count);
        increase(make_pair_of(result, symbols[i + 2]), number);
      }
      symbols[size] = result;
      i += 2;
    }
    symbols.resize(size);
  }

  void decrease(Pair pair, std::int64_t count) { pairs_[pair].count -= count; }

  void increase(Pair pair, std::uint32_t part) {
    PairState& state = pairs_[pair];
    state.count += parts_[part].count;
    if (state.parts.empty() || state.parts.back() != part) state.parts.push_back(part);
    if (!std::exchange(state.changed, true)) changed_.push_back(pair);
  }

  const LearnSettings& settings_;
  VocabularyContent content_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<Part> parts_;
  std::unordered_map<Pair, PairState, PairHash> pairs_;
  std::vector<Candidate> heap_;
  std::vector<Pair> changed_;
};

}  // namespace

VocabularyContent learn_pairs(const LearnInput& input, const LearnSettings& settings,
                              const LearnProgress& progress) {
  return PairLearner(input, settings).learn(progress);
}

}  // namespace awend::text
