#include "text/segment.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

constexpr std::uint32_t kNoRank = PairTable::kNone;

// Puts the best pair together wherever it stands, until no pair has a rank.  `rank(left,
// right)` is asked once for every place in every round, which is what dropout needs.
template <class Rank>
void merge_pairs(const std::vector<Merge>& merges, Ids& symbols, const Rank& rank) {
  std::vector<std::uint32_t> ranks;
  while (symbols.size() > 1) {
    ranks.clear();
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
      ranks.push_back(rank(symbols[i], symbols[i + 1]));
    const std::uint32_t best = *std::min_element(ranks.begin(), ranks.end());
    if (best == kNoRank) return;
    std::size_t size = 0;
    for (std::size_t i = 0; i < symbols.size(); ++size) {
      const bool here = i < ranks.size() && ranks[i] == best;
      symbols[size] = here ? merges[best].result : symbols[i];
      i += here ? 2 : 1;
    }
    symbols.resize(size);
  }
}

}  // namespace

PairMerger::PairMerger(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
  const std::vector<Merge>& merges = vocabulary.merges();
  for (std::uint32_t rank = 0; rank < merges.size(); ++rank)
    ranks_.find_or_insert(make_pair_key(merges[rank].left, merges[rank].right), rank);
}

void PairMerger::append(std::string_view word, Ids& ids) const {
  Ids symbols;
  append_characters(vocabulary_, word, symbols);
  merge_pairs(vocabulary_.merges(), symbols, [&](std::uint32_t left, std::uint32_t right) {
    return ranks_.find(make_pair_key(left, right));
  });
  ids.insert(ids.end(), symbols.begin(), symbols.end());
}

void PairMerger::append(std::string_view word, MergeDropout& dropout, Ids& ids) const {
  Ids symbols;
  append_characters(vocabulary_, word, symbols);
  merge_pairs(vocabulary_.merges(), symbols, [&](std::uint32_t left, std::uint32_t right) {
    const bool dropped = dropout.random.uniform() < dropout.probability;
    return dropped ? kNoRank : ranks_.find(make_pair_key(left, right));
  });
  ids.insert(ids.end(), symbols.begin(), symbols.end());
}

LongestMatcher::LongestMatcher(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
  for (std::uint32_t id = Vocabulary::kFirstCharacter; id < vocabulary.size(); ++id) {
    longest_bytes_ = std::max(longest_bytes_, vocabulary.piece(id).size());
  }
}

void LongestMatcher::append(std::string_view word, Ids& ids) const {
  // Characters that no piece has end what a piece may match; a literal U+2581 would look like a
  // space otherwise.
  std::string text;
  const auto append_run = [&] {
    for (std::string_view rest = text; !rest.empty();) {
      std::size_t size_bytes = std::min(rest.size(), longest_bytes_);
      std::optional<std::uint32_t> id;
      while (size_bytes > 0 && !(id = vocabulary_.find(rest.substr(0, size_bytes)))) --size_bytes;
      if (id) {
        ids.push_back(*id);
      } else {
        size_bytes = base::utf8_step(rest, 0).size_bytes;
        append_bytes(rest.starts_with(kSpaceMarker) ? " " : rest.substr(0, size_bytes), ids);
      }
      rest.remove_prefix(size_bytes);
    }
    text.clear();
  };
  for (std::size_t position = 0; position < word.size();) {
    const base::Utf8Step step = base::utf8_step(word, position);
    const std::string_view character = word.substr(position, step.size_bytes);
    position += step.size_bytes;
    if (is_always_bytes(step.code_point)) {
      append_run();
      append_bytes(character, ids);
    } else {
      text += step.code_point == U' ' ? kSpaceMarker : character;
    }
  }
  append_run();
}

}  // namespace awend::text
