#include "metrics/mbr/expected_utility.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"

namespace awend::metrics {
namespace {

// The most texts of a tile of the matrix of scores, and about the most bytes of their texts, so
// that memory does not grow with the square of the number of candidates.
constexpr std::size_t kTileTexts = 256;
constexpr std::size_t kTileBytes = 1 << 18;

/// The different texts of a list, in the order of their first occurrence.
struct Distinct {
  explicit Distinct(std::span<const WeightedText> list) {
    std::unordered_map<std::string_view, std::size_t> places;
    for (const auto& [text, weight] : list) {
      const auto [found, is_new] = places.try_emplace(text, texts.size());
      if (is_new) {
        texts.push_back(text);
        weights.push_back(0);
      }
      weights[found->second] += weight;
      of_list.push_back(found->second);
    }
  }
  std::vector<std::string_view> texts;
  std::vector<double> weights;       // sums over equal texts
  std::vector<std::size_t> of_list;  // the place of each text of the list
};

/// The end of the tile that begins there.
std::size_t end_of_tile(std::span<const std::string_view> texts, std::size_t begin) {
  auto end = begin;
  for (std::size_t bytes = 0; end < texts.size() && end < begin + kTileTexts; ++end) {
    bytes += texts[end].size();
    if (bytes > kTileBytes && end > begin) break;
  }
  return end;
}

/// The sums of weighted scores of the different candidates.
std::vector<double> sums_of_scores(PairwiseScorer& scorer, const Distinct& candidates,
                                   const Distinct& references) {
  const std::span<const std::string_view> rows(candidates.texts), columns(references.texts);
  std::vector<double> sums(rows.size()), values;
  for (std::size_t row = 0; row < rows.size();) {
    const auto end = end_of_tile(rows, row);
    for (std::size_t column = 0; column < columns.size();) {
      const auto end_column = end_of_tile(columns, column);
      const auto width = end_column - column;
      values.resize((end - row) * width);
      scorer.score(rows.subspan(row, end - row), columns.subspan(column, width), values);
      for (std::size_t i = row; i < end; ++i) {
        for (std::size_t k = 0; k < width; ++k)
          sums[i] += references.weights[column + k] * values[(i - row) * width + k];
      }
      column = end_column;
    }
    row = end;
  }
  return sums;
}

}  // namespace

std::vector<double> expected_utilities(PairwiseScorer& scorer,
                                       std::span<const WeightedText> candidates,
                                       std::span<const WeightedText> references) {
  const bool same =
      candidates.data() == references.data() && candidates.size() == references.size();
  const Distinct of_candidates(candidates);
  const auto sums = same ? sums_of_scores(scorer, of_candidates, of_candidates)
                         : sums_of_scores(scorer, of_candidates, Distinct(references));
  double total = 0;
  for (const auto& reference : references) total += reference.weight;
  base::check(total > 0, "a reference has a weight");
  std::vector<double> utilities;
  for (const auto place : of_candidates.of_list) utilities.push_back(sums[place] / total);
  return utilities;
}

std::size_t best_candidate(std::span<const double> utilities) {
  const auto greatest = *std::ranges::max_element(utilities);
  const auto best = std::ranges::find_if(
      utilities, [&](double utility) { return utility >= greatest - kEqualUtilities; });
  return static_cast<std::size_t>(best - utilities.begin());
}

}  // namespace awend::metrics
