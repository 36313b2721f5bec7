// What architectures require of the lines that they read, for programs that check a line before a
// model computes with it.
//
// Test: tests/unit/model/memory_test.cpp, tests/cli/memory.sh.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/config.hpp"

namespace awend::model {

/// A name for the rules of source_problem() and target_problem(); empty if any line will do.  A
/// line with rules must not be split.
std::string source_rules(const Config& config);

/// What is wrong with a source line, in words, or nullopt.  `ids` are without the end of the line.
std::optional<std::string> source_problem(const Config& config, std::span<const std::uint32_t> ids);

/// What is wrong with a target line, in words, or nullopt.
std::optional<std::string> target_problem(const Config& config, std::span<const std::uint32_t> ids);

/// Looks up the id of a token.
using FindId = std::function<std::optional<std::uint32_t>(std::string_view token)>;

/// Sets the ids of the tokens that settings name.  Throws Error if the vocabulary lacks one.
void resolve_tokens(Config& config, const FindId& find);

}  // namespace awend::model
