#include "cli/completion.hpp"

#include "base/format.hpp"

namespace awend::cli {
namespace {

enum class Values { kNone, kChoices, kFiles, kDirectories, kOthers };

Values values_of(const Option& option) {
  if (option.metavar.empty()) return Values::kNone;
  if (option.choices != nullptr) return Values::kChoices;
  if (option.takes_files()) return Values::kFiles;
  return option.takes_directories() ? Values::kDirectories : Values::kOthers;
}

// `text` with `escape` before each character in `special`; shells differ in their quoting.
std::string escaped(std::string_view text, std::string_view special, std::string_view escape) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += escape;
    out += c;
  }
  return out;
}

// bash also splits words at '=', so --name=value arrives as three words.
constexpr std::string_view kBashBegin = R"(  local word=${COMP_WORDS[COMP_CWORD]}
  local before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = && COMP_CWORD -gt 2 ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $before in
)";
constexpr std::string_view kBashEnd = R"(  esac
  if [[ $word == -* ]]; then
    compopt +o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
)";

std::string bash_values(const Option& option) {
  const auto command = [](std::string_view what) {
    return base::concat("mapfile -t COMPREPLY < <(compgen ", what, " -- \"$word\"); return");
  };
  switch (values_of(option)) {
    case Values::kChoices:  // which are not directories of the same name
      return "compopt +o filenames 2> /dev/null; " +
             command(base::concat("-W '", base::join(option.choices(), " "), "'"));
    case Values::kFiles:
      return command("-f");
    case Values::kDirectories:
      return command("-d");
    default:
      return "return";
  }
}

std::string bash_script(const ToolDescription& tool) {
  std::string cases, names;
  for_each_option(tool, [&](const Option& option) {
    names += base::concat(names.empty() ? "--" : " --", option.name);
    if (option.metavar.empty()) return;
    const auto letter =
        option.letter != 0 ? base::concat("-", option.letter, " | ") : std::string();
    cases += base::concat("    ", letter, "--", option.name, ") ", bash_values(option), " ;;\n");
  });
  return base::concat("# ", tool.name, " for bash, made from its table of options.\n_awend_",
                      tool.name, "() {\n  local options='", names, "'\n", kBashBegin, cases,
                      kBashEnd, "complete -o filenames -F _awend_", tool.name, " ", tool.name,
                      "\n");
}

std::string zsh_values(const Option& option) {
  const auto name = escaped(option.metavar, ":", "\\");
  switch (values_of(option)) {
    case Values::kNone:
      return "";
    case Values::kChoices:
      return base::concat(":", name, ":(", base::join(option.choices(), " "), ")");
    case Values::kFiles:
      return base::concat(":", name, ":_files");
    case Values::kDirectories:
      return base::concat(":", name, ":_files -/");
    default:
      return base::concat(":", name, ": ");
  }
}

std::string zsh_script(const ToolDescription& tool) {
  auto script = base::concat("#compdef ", tool.name, "\n# Made from the table of options of ",
                             tool.name, ".\n_arguments -s -S");
  for_each_option(tool, [&](const Option& option) {
    // A single quote ends the quoted text, is written escaped, and starts the quoted text again.
    std::string help;
    for (const char c : escaped(option.help, "[]:\\", "\\")) {
      help += c == '\'' ? "'\\''" : std::string(1, c);
    }
    const auto rest = base::concat("[", help, "]", zsh_values(option), "'");
    const std::string_view equals = option.metavar.empty() ? "" : "=";
    script += base::concat(" \\\n  '*--", option.name, equals, rest);
    if (option.letter != 0) {
      script += base::concat(" \\\n  '*-", option.letter, option.metavar.empty() ? "" : "+", rest);
    }
  });
  return script + " \\\n  '*:file:_files'\n";
}

std::string fish_values(const Option& option) {
  switch (values_of(option)) {
    case Values::kNone:
      return "";
    case Values::kChoices:
      return base::concat(" -x -a '", base::join(option.choices(), " "), "'");
    case Values::kFiles:
      return " -r -F";
    case Values::kDirectories:
      return " -x -a '(__fish_complete_directories)'";
    default:
      return " -x";
  }
}

std::string fish_script(const ToolDescription& tool) {
  auto script = base::concat("# ", tool.name, " for fish, made from its table of options.\n");
  for_each_option(tool, [&](const Option& option) {
    script += base::concat("complete -c ", tool.name);
    if (option.letter != 0) script += base::concat(" -s ", option.letter);
    script += base::concat(" -l ", option.name, fish_values(option), " -d '",
                           escaped(option.help, "\\'", "\\"), "'\n");
  });
  return script;
}

}  // namespace

std::string completion_script(const ToolDescription& tool, std::string_view shell) {
  if (shell == "bash") return bash_script(tool);
  if (shell == "zsh") return zsh_script(tool);
  if (shell == "fish") return fish_script(tool);
  throw base::UsageError(
      base::concat("no completion for '", shell, "': must be bash, zsh or fish"));
}

}  // namespace awend::cli
