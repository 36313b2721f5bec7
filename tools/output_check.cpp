#include "output_check.hpp"

#include <filesystem>

#include "base/error.hpp"

namespace awend::tools {

namespace fs = std::filesystem;

void require_own_file(const std::string& output, std::span<const std::string> inputs) {
  std::error_code ignored;  // an output that does not exist replaces nothing
  if (!fs::is_regular_file(output, ignored)) return;
  for (const auto& input : inputs) {
    if (!fs::equivalent(output, input, ignored)) continue;
    const auto which = input == output ? "this file" : base::concat("the same file as ", input);
    base::fail(output, ": the command also reads ", which, "; write to another file");
  }
}

void require_own_file(const cli::Options& options) {
  std::vector<std::string> others = options.operands();
  std::string output;
  for (const auto& option : options.tool().options) {
    if (!option.takes_files() || !options.has(option.name)) continue;
    if (option.name == "output") {
      output = options.text(option.name);
      continue;
    }
    for (const auto& names : {options.each(option.name), options.list(option.name)}) {
      others.insert(others.end(), names.begin(), names.end());
    }
  }
  if (!output.empty()) require_own_file(output, others);
}

}  // namespace awend::tools
