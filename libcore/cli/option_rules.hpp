// Rules about options that are given together, with one wording for all programs.  Test:
// tests/unit/cli/option_rules_test.cpp.
#pragma once

#include <initializer_list>
#include <string_view>

#include "cli/options.hpp"

namespace awend::cli {

using OptionNames = std::initializer_list<std::string_view>;

/// Whether one of the options was typed; switches that are off were not.
bool any_typed(const Options& options, OptionNames names);

/// Throws UsageError "--NAME and --OTHER exclude each other" if `name` and one of the others were
/// typed.
void check_excludes(const Options& options, std::string_view name, OptionNames others);

/// Throws UsageError "--NAME needs WHAT" for the first of `names` that was typed, unless one of
/// `needed` was.
void check_needs(const Options& options, OptionNames names, OptionNames needed,
                 std::string_view what);

}  // namespace awend::cli
