#include "base/size.hpp"

#include <unistd.h>

#include <charconv>
#include <cmath>

#include "base/error.hpp"

namespace awend::base {
namespace {

// What the suffix multiplies with; 0 for one that is none.
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
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const double bytes =
      error == std::errc()
          ? number * factor_of(text.substr(static_cast<std::size_t>(end - text.data())), all_bytes)
          : 0;
  if (!(bytes >= 1 && bytes < 0x1p60))
    throw UsageError(concat("'", text, "' is no size: expected 500M, 4G, 50% and the like"));
  return static_cast<std::size_t>(bytes);
}

std::size_t machine_memory_bytes() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(::sysconf(_SC_PAGE_SIZE));
}

}  // namespace awend::base
