// The text of --help.
#include <algorithm>

#include "cli/options.hpp"

namespace awend::cli {
namespace {

constexpr std::size_t kColumns = 79;
constexpr std::size_t kHelpColumn = 30;

// Appends `text`, wrapped at spaces; `column` is the current column, and later lines start at
// `indent`.
void append_wrapped(std::string& out, std::string_view text, std::size_t column,
                    std::size_t indent) {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const bool first = column <= indent;
    if (!first && column + 1 + word.size() > kColumns) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  out += '\n';
}

void append_option(std::string& out, const Option& option, std::span<const Alias> aliases) {
  if (option.name.empty()) {
    out += base::concat("\n", option.help, ":\n");
    return;
  }
  std::string left = option.letter != 0 ? base::concat("  -", option.letter, ", --", option.name)
                                        : base::concat("      --", option.name);
  if (!option.metavar.empty()) left += base::concat(" ", option.metavar);
  out += left;
  if (left.size() + 2 > kHelpColumn) {
    out += '\n';
    left.clear();
  }
  out.append(kHelpColumn - left.size(), ' ');
  std::string help(option.help);
  for (const Alias& alias : aliases) {
    if (alias.option == option.name && !alias.spelling.starts_with('-'))
      help += base::concat("; also --", alias.spelling, alias.metavar.empty() ? "" : " ",
                           alias.metavar);
  }
  if (!option.default_value.empty()) help += base::concat(" (default: ", option.default_value, ")");
  append_wrapped(out, help, kHelpColumn, kHelpColumn);
}

}  // namespace

std::string help_text(const ToolDescription& tool) {
  std::string out;
  for (const std::string_view form : tool.usage) {
    const std::string begin = base::concat(out.empty() ? "Usage: " : "       ", tool.name, " ");
    out += begin;
    append_wrapped(out, form, begin.size(), begin.size());
  }
  append_wrapped(out, tool.purpose, 0, 0);
  if (!tool.operands.empty()) append_wrapped(out, tool.operands, 0, 0);
  if (tool.options.empty() || !tool.options.front().name.empty()) out += "\nOptions:\n";
  for (const Option& option : tool.options) append_option(out, option, tool.aliases);
  for (const Option& option : common_options()) append_option(out, option, tool.aliases);
  return out;
}

}  // namespace awend::cli
