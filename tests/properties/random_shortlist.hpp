// A lexical shortlist of random lists for small models.
#pragma once

#include <algorithm>

#include "base/random.hpp"
#include "decode/sentence_shortlist.hpp"
#include "tests/properties/stage.hpp"

namespace awend::tests {

/// Each word has a few random tokens; the number of tokens differs.
inline decode::SentenceShortlist random_shortlist(std::uint32_t tokens = 50) {
  base::Random random(1);
  store::LexicalShortlist lists{.first = 3, .best = 6};
  for (std::uint32_t word = 0; word < tokens; ++word) {
    Sentence list(random.below(7));
    for (auto& id : list) id = random.below(tokens);
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    lists.append(list);
  }
  return {lists, {}, tokens};
}

}  // namespace awend::tests
