#include "decode/logit_rules.hpp"

#include <algorithm>
#include <limits>

namespace awend::decode {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

/// The tokens that would repeat an n-gram after the last n - 1 tokens, sorted.
std::vector<std::uint32_t> completions(std::span<const std::uint32_t> ids, std::uint32_t n) {
  std::vector<std::uint32_t> found;
  if (n == 0 || ids.size() < n) return found;
  const auto last = ids.last(n - 1);
  for (std::size_t begin = 0; begin + n <= ids.size(); ++begin) {
    if (std::ranges::equal(ids.subspan(begin, n - 1), last)) found.push_back(ids[begin + n - 1]);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace

std::uint32_t LogitRuleSettings::shortest(std::uint32_t source_tokens) const {
  return static_cast<std::uint32_t>(
      std::min(min_length_ratio * source_tokens + min_length_extra, 1e9));
}

std::uint32_t LogitRules::max_changes(std::uint32_t length) const {
  return settings_ == LogitRuleSettings{} ? 0 : length + 2;
}

void LogitRules::append(std::span<const std::uint32_t> ids, std::uint32_t shortest,
                        std::vector<Adjustment>& adjustments) const {
  auto never = completions(ids, settings_.no_repeat_ngram);
  if (ids.size() < shortest) never.push_back(special_.end_of_sentence);
  for (const std::uint32_t id : never)
    adjustments.push_back({id, Adjustment::Kind::kAdded, kNever});
  const auto open = [&](std::uint32_t id) { return std::ranges::find(never, id) == never.end(); };

  std::vector<std::uint32_t> said(ids.begin(), ids.end());
  std::ranges::sort(said);
  said.erase(std::unique(said.begin(), said.end()), said.end());
  if (settings_.repetition_penalty == 1) said.clear();
  for (const std::uint32_t id : said) {
    if (!open(id)) continue;
    const auto amount = static_cast<float>(settings_.repetition_penalty);
    adjustments.push_back({id, Adjustment::Kind::kRepeated, amount});
  }
  // If the unknown token is repeated, only the repetition penalty applies.
  const bool listed = std::ranges::binary_search(said, special_.unknown);
  if (settings_.unknown_penalty != 0 && open(special_.unknown) && !listed) {
    const auto amount = static_cast<float>(-settings_.unknown_penalty);
    adjustments.push_back({special_.unknown, Adjustment::Kind::kAdded, amount});
  }
}

}  // namespace awend::decode
