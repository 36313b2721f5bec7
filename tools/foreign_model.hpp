// Errors for models of other toolkits, which must be converted first.  Test:
// tests/cli/convert_model.sh.
#pragma once

#include <string>

#include "base/error.hpp"
#include "interchange/read_model.hpp"

namespace awend::tools {

/// Calls open(), which reads the model in a file or directory.  If it fails because the model is of
/// another toolkit, the Error is the command that converts it.
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
               "; convert it with: convert-model -o model.safetensors ", path);
  }
}

}  // namespace awend::tools
