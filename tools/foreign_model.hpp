// Errors for models of other toolkits, which must be converted first.  Test:
// tests/cli/convert_model.sh.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/format.hpp"
#include "interchange/read_model.hpp"

namespace awend::tools {

/// The text as a word of a shell command.
inline std::string shell_word(std::string_view text) {
  const bool is_plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./,:+@%").find(c) != std::string_view::npos;
  });
  if (is_plain) return std::string(text);
  return base::concat("'", base::replaced(text, "'", "'\\''"), "'");
}

/// Calls open(), which reads the model in a file or directory.  If it fails because the model is of
/// another toolkit, the Error is the command that converts it, to a file of a name that the models
/// of other toolkits do not have.
template <class Open>
auto open_model(const std::string& path, const Open& open) -> decltype(open()) {
  try {
    return open();
  } catch (const base::UsageError&) {
    throw;
  } catch (const base::Error&) {
    const auto format = interchange::foreign_format_of(path);
    if (!format) throw;
    base::fail(path, ": a model of ", interchange::name_of(*format),
               "; convert it with: convert-model -o awend.safetensors ", shell_word(path));
  }
}

}  // namespace awend::tools
