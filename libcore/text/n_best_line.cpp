#include "text/n_best_line.hpp"

#include <algorithm>

#include "base/numbers.hpp"

namespace awend::text {
namespace {

constexpr std::string_view kBar = " ||| ", kOurs = " ||| logprob= ";

}  // namespace

std::optional<NBestLine> parse_n_best_line(std::string_view line) {
  const auto bar = line.find(kBar);
  const auto number = base::find_number<std::uint64_t>(line.substr(0, bar));
  if (!number || bar == std::string_view::npos) return std::nullopt;
  const auto begin = bar + kBar.size();
  // Without a text, two bars share a space.
  auto end = line.rfind(kOurs);
  if (end == std::string_view::npos || end + 1 < begin) end = line.find(kBar, begin - 1);
  if (end == std::string_view::npos) return NBestLine{*number, line.substr(begin)};
  return NBestLine{*number, line.substr(begin, std::max(end, begin) - begin),
                   line.substr(end + kBar.size())};
}

}  // namespace awend::text
