#include "train/best.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::train {
namespace {

template <class Number>
Number parsed(std::string_view text) {
  return base::to_number<Number>(text, "a number in a list of validations");
}

}  // namespace

// Lists of earlier versions may have NaN, too.
bool BestValidations::is_better(double value, double than) const {
  if (std::isnan(value)) return false;
  const bool lower = row_of(metric).better == Better::kLower;
  return std::isnan(than) || (lower ? value < than : value > than);
}

bool BestValidations::add(const Validated& validated, std::uint32_t max_entries) {
  if (std::isnan(validated.value)) {
    ++since_best;
    return false;
  }
  auto place = list.begin();
  while (place != list.end() && !is_better(validated.value, place->value)) ++place;
  since_best = place == list.begin() ? 0 : since_best + 1;
  const auto rank = static_cast<std::size_t>(place - list.begin());
  if (rank >= std::max(max_entries, 1u)) return false;
  list.insert(place, validated);
  list.resize(std::min<std::size_t>(list.size(), std::max(max_entries, 1u)));
  return true;
}

bool BestValidations::add_at_end(const Validated& validated) {
  if (std::isnan(validated.value)) return false;
  const auto best = ranked();
  if (!best.empty() && !is_better(validated.value, best.front().value)) return false;
  at_end = validated;
  return true;
}

std::vector<Validated> BestValidations::ranked() const {
  auto all = list;
  if (at_end.step == 0) return all;
  auto place = all.begin();
  while (place != all.end() && !is_better(at_end.value, place->value)) ++place;
  all.insert(place, at_end);
  return all;
}

void BestValidations::compare_by(ValidationMetric requested) {
  if (metric != requested) *this = {.metric = requested};
}

std::string to_text(const std::vector<Validated>& list) {
  std::string text;
  for (const auto& [step, value] : list)
    text += base::concat(text.empty() ? "" : " ", step, ':', value);
  return text;
}

std::vector<Validated> parse_validated(std::string_view text) {
  std::vector<Validated> list;
  while (!text.empty()) {
    const auto item = text.substr(0, text.find(' '));
    const auto colon = std::min(item.find(':'), item.size());
    list.push_back({parsed<std::uint64_t>(item.substr(0, colon)),
                    parsed<double>(item.substr(std::min(colon + 1, item.size())))});
    text.remove_prefix(std::min(item.size() + 1, text.size()));
  }
  return list;
}

}  // namespace awend::train
