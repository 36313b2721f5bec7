#include "cli/option_rules.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::cli {

bool any_typed(const Options& options, OptionNames names) {
  return std::ranges::any_of(names, [&](auto name) {
    return options.has_been_typed(name) && !(options.is_switch(name) && !options.flag(name));
  });
}

void check_excludes(const Options& options, std::string_view name, OptionNames others) {
  if (!any_typed(options, {name})) return;
  for (const auto other : others) {
    if (any_typed(options, {other}))
      throw base::UsageError(base::concat("--", name, " and --", other, " exclude each other"));
  }
}

void check_needs(const Options& options, OptionNames names, OptionNames needed,
                 std::string_view what) {
  if (any_typed(options, needed)) return;
  for (const auto name : names) {
    if (any_typed(options, {name}))
      throw base::UsageError(base::concat("--", name, " needs ", what));
  }
}

}  // namespace awend::cli
