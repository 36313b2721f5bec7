#include "base/size.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::base {
namespace {

// The factor of a suffix; 0 if it is not a suffix.
double factor_of(std::string_view suffix, std::size_t all_bytes) {
  if (suffix.empty()) return 1;
  if (suffix == "%") return static_cast<double>(all_bytes) / 100;
  constexpr std::string_view kSuffixes = "KMGT";
  const std::size_t power = kSuffixes.find(suffix.front());
  if (suffix.size() > 1 || power == std::string_view::npos) return 0;
  return std::pow(1024.0, static_cast<double>(power + 1));
}

}  // namespace

std::size_t parse_size(std::string_view text, std::size_t all_bytes) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const double bytes = find_number<double>(text.substr(0, digits)).value_or(0) *
                       factor_of(text.substr(digits), all_bytes);
  if (!(bytes >= 1 && bytes < 0x1p60))
    throw UsageError(concat("'", text, "' is not a size: expected, for example, 500M, 4G or 50%"));
  return static_cast<std::size_t>(bytes);
}

}  // namespace awend::base
