#include "cli/options.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/concat.hpp"
#include "base/field.hpp"
#include "base/format.hpp"

namespace awend::cli {
namespace {

namespace po = boost::program_options;

constexpr char kOperands[] = "operands of the tool";  // cannot be typed on a command line

constexpr Option kCommon[] = {
    {.help = "General"},
    {"quiet", 'q', "", "", "print only errors"},
    {"verbose", 'v', "", "", "print more about what is done"},
    {"help", 'h', "", "", "print this text"},
    {"version", 'V', "", "", "print the version"},
};

std::string nearest_option(const ToolDescription& tool, std::string_view word) {
  std::vector<std::string_view> names;
  for_each_option(tool, [&](const Option& option) { names.push_back(option.name); });
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  const std::string_view name = base::nearest(word, names);
  return name.empty() ? "" : base::concat(", did you mean '--", name, "'?");
}

// The option that a spelling, possibly an alias, denotes.
std::string option_meant(const ToolDescription& tool, const std::string& spelling) {
  const auto alias = std::ranges::find(tool.aliases, spelling, &Alias::spelling);
  return std::string(alias == tool.aliases.end() ? std::string_view(spelling) : alias->option);
}

void refuse_foreign_options(const ToolDescription& tool, int argc, const char* const* argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string_view word = argv[i];
    const auto found =
        std::ranges::find(tool.foreign, word.substr(0, word.find('=')), &ForeignOption::spelling);
    if (found == tool.foreign.end()) continue;
    throw base::UsageError(base::concat("unknown option '", found->spelling, "': ", found->advice));
  }
}

void refuse_words_after_one_dash(const ToolDescription& tool, int argc, const char* const* argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const auto alias = std::ranges::find(tool.aliases, std::string_view(argv[i]), &Alias::spelling);
    if (argv[i][0] != '-' || alias == tool.aliases.end()) continue;
    throw base::UsageError(base::concat("unknown option '", alias->spelling, "', did you mean '--",
                                        alias->option, "'?"));
  }
}

po::options_description boost_table(const ToolDescription& tool) {
  po::options_description table;
  const auto add = [&](const std::string& spelling, std::string_view metavar) {
    auto* value = po::value<std::vector<std::string>>()->composing();
    if (metavar.empty()) value->zero_tokens();
    if (metavar.ends_with("...")) value->multitoken();
    table.add_options()(spelling.c_str(), value, "");
  };
  for_each_option(tool, [&](const Option& option) {
    std::string spelling(option.name);
    if (option.letter != 0) spelling += base::concat(",", option.letter);
    add(spelling, option.metavar);
    for (const Alias& alias : tool.aliases) {
      if (alias.option == option.name && !alias.spelling.starts_with('-'))
        add(std::string(alias.spelling), alias.metavar.empty() ? option.metavar : alias.metavar);
    }
  });
  table.add_options()(kOperands, po::value<std::vector<std::string>>(), "");
  return table;
}

po::parsed_options boost_parse(const ToolDescription& tool, const po::options_description& table,
                               int argc, const char* const* argv) {
  namespace style = po::command_line_style;
  po::positional_options_description operands;
  operands.add(kOperands, -1);
  try {
    // Prefixes of options are not accepted: adding an option must not change the meaning of a
    // script.
    return po::command_line_parser(argc, argv)
        .options(table)
        .positional(operands)
        .style(style::default_style & ~style::allow_guessing)
        .run();
  } catch (const po::unknown_option& error) {
    throw base::UsageError(base::concat("unknown option '", error.get_option_name(), "'",
                                        nearest_option(tool, error.get_option_name())));
  } catch (const po::invalid_command_line_syntax& error) {
    using Syntax = po::invalid_command_line_syntax;
    const bool extra = error.kind() == Syntax::extra_parameter ||
                       error.kind() == Syntax::long_adjacent_not_allowed ||
                       error.kind() == Syntax::short_adjacent_not_allowed;
    throw base::UsageError(base::concat("option '", error.get_option_name(),
                                        extra ? "' takes no value" : "' needs a value"));
  } catch (const po::error& error) {
    throw base::UsageError(error.what());
  }
}

using Words = std::vector<std::string>;
/// The first word that is not a value of the option, but an operand after it.
Words::const_iterator end_of_values(const Option& option, const Words& words) {
  if (option.accepts == nullptr || words.empty()) return words.end();
  return std::find_if_not(words.begin() + 1, words.end(), option.accepts);
}

/// Whether the value is a file, whose name may have commas.
bool is_file(const Option& option, const std::string& value) {
  std::error_code ignored;
  return option.takes_files() && std::filesystem::exists(value, ignored);
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

void check_choice(const Option& option, const std::string& value) {
  if (option.choices == nullptr || option.other_values == OtherValues::kAccepted) return;
  std::vector<std::string_view> items = {value};
  if (option.metavar.starts_with("LIST")) items = base::split(value, ',');
  for (const auto item : items) require_choice(option.name, item, option.choices);
}

}  // namespace

std::span<const Option> common_options() {
  return kCommon;
}

Options Options::parse(const ToolDescription& tool, int argc, const char* const* argv) {
  Options options(tool);
  const auto table = boost_table(tool);
  refuse_foreign_options(tool, argc, argv);
  refuse_words_after_one_dash(tool, argc, argv);
  for (const auto& parsed : boost_parse(tool, table, argc, argv).options) {
    auto words = parsed.value.cbegin();
    if (parsed.string_key != kOperands) {
      const auto name = option_meant(tool, parsed.string_key);
      const auto end = end_of_values(options.row(name), parsed.value);
      auto& values = options.given_[name];
      values.insert(values.end(), words, end);
      words = end;
    }
    options.operands_.insert(options.operands_.end(), words, parsed.value.cend());
  }
  for_each_option(tool, [&](const Option& option) {
    if (option.metavar.empty() && options.has(option.name))
      options.given_[std::string(option.name)] = {"true"};
  });
  if (options.flag("help") || options.flag("version")) return options;
  options.check_operands();
  options.check_choices();
  options.read_environment();
  if (options.has("config")) {
    base::LineReader lines(options.text("config"), base::InvalidUtf8::kError,
                           {.file_bytes = base::kMaxSettingsBytes});
    options.read_config(lines);
  }
  return options;
}

void Options::check_operands() const {
  if (tool_->operands.empty() && !operands_.empty()) {
    throw base::UsageError(base::concat("unexpected operand '", operands_.front(), "'"));
  }
  if (operands_.size() < tool_->operands_min) throw base::UsageError("missing operand");
}

void Options::check_choices() const {
  for (const auto& [name, values] : given_) {
    for (const auto& value : values) check_choice(row(name), value);
  }
}

// Not checked against choices: a variable may be that of another program, with other values.
void Options::read_environment() {
  for_each_option(*tool_, [&](const Option& option) {
    if (option.environment.empty() || has(option.name)) return;
    const char* value = std::getenv(std::string(option.environment).c_str());
    if (value == nullptr || *value == '\0') return;
    given_[std::string(option.name)] = {value};
    from_environment_.emplace(option.name);
  });
}

// Values from the command line and the environment take precedence over those of the file.
void Options::read_config(base::LineReader& lines) {
  const auto preceding = given_;
  std::map<std::string, std::uint64_t, std::less<>> line_of;
  for (std::string_view line; lines.next(line);) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') continue;
    const auto where = base::concat(lines.place(), ": ");
    const auto equals = line.find('=');
    if (equals == std::string_view::npos)
      throw base::UsageError(base::concat(where, "expected 'name = value'"));
    const auto name = trimmed(line.substr(0, equals));
    const auto value = trimmed(line.substr(equals + 1));
    const Option* option = nullptr;
    for_each_option(*tool_, [&](const Option& row) {
      if (row.name == name) option = &row;
    });
    if (option == nullptr) {
      throw base::UsageError(
          base::concat(where, "unknown option '", name, "'", nearest_option(*tool_, name)));
    }
    if (name == "config" || name == "help" || name == "version")
      throw base::UsageError(base::concat(where, "option '", name, "' must not be in this file"));
    const auto [first, is_new] = line_of.emplace(name, lines.line_number());
    if (!is_new) {
      throw base::UsageError(
          base::concat(where, "option '", name, "' was set before in line ", first->second));
    }
    if (option->metavar.empty() && value != "true" && value != "false") {
      throw base::UsageError(base::concat(where, "option '", name, "' must be true or false"));
    }
    try {
      check_choice(*option, std::string(value));
    } catch (const base::UsageError& error) {
      throw base::UsageError(base::concat(where, error.what()));
    }
    if (preceding.contains(name)) continue;
    given_[std::string(name)].emplace_back(value);
    from_file_.emplace(name, where);
  }
}

const Option& Options::row(std::string_view name) const {
  const Option* found = nullptr;
  for_each_option(*tool_, [&](const Option& option) {
    if (option.name == name) found = &option;
  });
  base::check(found != nullptr, base::concat("the option table has no option '", name, "'"));
  return *found;
}

bool Options::has(std::string_view name) const {
  return given_.contains(name);
}

bool Options::has_been_typed(std::string_view name) const {
  return has(name) && !from_environment_.contains(name);
}

bool Options::decides(std::string_view name, std::string_view other) const {
  return has(name) && (!has(other) || (from_file_.contains(other) && !from_file_.contains(name)));
}

std::string Options::text(std::string_view name) const {
  const auto given = given_.find(name);
  return given != given_.end() ? given->second.back() : std::string(row(name).default_value);
}

std::string Options::required(std::string_view name) const {
  std::string value = text(name);
  if (value.empty()) throw base::UsageError(base::concat("option '--", name, "' is required"));
  return value;
}

std::string Options::source_of(std::string_view name) const {
  if (from_environment_.contains(name))
    return base::concat("environment variable ", row(name).environment);
  const auto place = from_file_.find(name);
  return base::concat(place == from_file_.end() ? "" : place->second, "option '--", name, "'");
}

template <class Number>
Number Options::number(std::string_view name, const std::string& text,
                       const base::Range<Number>& range, std::string_view kind) const {
  return for_source(source_of(name), [&] { return base::to_number<Number>(text, kind, range); });
}

std::string Options::number_text(std::string_view name) const {
  return has(name) ? text(name) : required(name);
}

std::int64_t Options::whole_number(std::string_view name, base::IntegerRange range) const {
  return number<std::int64_t>(name, number_text(name), range, "an integer");
}

double Options::real(std::string_view name, base::RealRange range) const {
  return number<double>(name, number_text(name), range, "a number");
}

bool Options::flag(std::string_view name) const {
  return text(name) == "true";
}

std::vector<std::string> Options::each(std::string_view name) const {
  const auto given = given_.find(name);
  if (given != given_.end()) return given->second;
  const std::string_view value = row(name).default_value;
  return value.empty() ? std::vector<std::string>{} : std::vector<std::string>{std::string(value)};
}

std::vector<std::string> Options::list(std::string_view name) const {
  std::vector<std::string> parts;
  for (const std::string& value : each(name)) {
    if (is_file(row(name), value)) {
      parts.push_back(value);
      continue;
    }
    for (const auto part : base::split(value, ',')) parts.emplace_back(part);
  }
  return parts;
}

std::vector<std::string> Options::last_list(std::string_view name) const {
  const auto value = text(name);
  return is_file(row(name), value) ? std::vector{value} : base::split_list(value);
}

std::vector<std::pair<std::string, std::string>> Options::named_values(
    std::string_view name) const {
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& part : last_list(name)) {
    const auto equals = part.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw base::UsageError(
          base::concat("option '--", name, "': expected NAME=VALUE, got '", part, "'"));
    auto of = part.substr(0, equals);
    if (std::ranges::find(values, of, &std::pair<std::string, std::string>::first) != values.end())
      throw base::UsageError(base::concat("option '--", name, "': two values for '", of, "'"));
    values.emplace_back(std::move(of), part.substr(equals + 1));
  }
  return values;
}

std::vector<double> Options::reals(std::string_view name, base::RealRange range) const {
  std::vector<double> numbers;
  for (const auto& part : last_list(name)) {
    numbers.push_back(number<double>(name, part, range, "a number"));
  }
  return numbers;
}

base::Report report_for(const Options& options) {
  const auto verbosity = options.flag("quiet")     ? base::Verbosity::kQuiet
                         : options.flag("verbose") ? base::Verbosity::kVerbose
                                                   : base::Verbosity::kNormal;
  return base::Report(std::string(options.tool().name), verbosity);
}

void require_choice(std::string_view name, std::string_view value, Choices choices) {
  for_option(name, [&] { base::require_one_of(choices(), value); });
}

}  // namespace awend::cli
