#include "base/words.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace awend::base {

std::string alternatives(std::span<const std::string_view> texts) {
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i)
    text += concat(i == 0 ? "" : i + 1 == texts.size() ? " or " : ", ", texts[i]);
  return text;
}

// Levenshtein distance in which a swap of two neighbors is one edit, or 1 for a prefix.  Up to half
// of the word may differ; more distant words would not help.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = word.size() / 2 + 1;
  for (const std::string_view candidate : candidates) {
    std::vector<std::size_t> row(candidate.size() + 1), above, second;
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 0; i < word.size(); ++i) {
      second = std::exchange(above, row);
      row[0] = i + 1;
      for (std::size_t j = 0; j < candidate.size(); ++j) {
        row[j + 1] = std::min({above[j + 1] + 1, row[j] + 1, above[j] + (word[i] != candidate[j])});
        const bool is_swap =
            i > 0 && j > 0 && word[i] == candidate[j - 1] && word[i - 1] == candidate[j];
        if (is_swap) row[j + 1] = std::min(row[j + 1], second[j - 1] + 1);
      }
    }
    if (word.size() > 1 && candidate.starts_with(word)) row.back() = 1;
    if (row.back() < best_distance) best = candidate, best_distance = row.back();
  }
  return best;
}

void require_one_of(std::span<const std::string_view> texts, std::string_view text) {
  if (std::ranges::find(texts, text) != texts.end()) return;
  const auto meant = nearest(text, texts);
  fail("must be ", alternatives(texts), ", got '", text, "'",
       meant.empty() ? "" : concat(", did you mean '", meant, "'?"));
}

}  // namespace awend::base
