// The option table of a tool, from which the parser, --help and the check of the man page are
// derived.
//
// Precedence: default of the table < `name = value` in the file of --config (if the table has
// "config") < environment variable of the option < option.  Only options.cpp uses
// Boost.Program_options. Test: tests/unit/cli/options_test.cpp.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "base/message.hpp"
#include "base/numbers.hpp"
#include "base/report.hpp"
#include "base/words.hpp"

namespace awend::cli {

/// The values that an option accepts; null: any.  The parser refuses others, and shells offer
/// these.
using Choices = std::vector<std::string_view> (*)();

enum class OtherValues {
  kRefused,
  kAccepted,  // the choices are examples, or the tool accepts them in several spellings
};

/// One option.  A row without a name is a heading for the rows that follow.
struct Option {
  std::string_view name = {};
  char letter = 0;  // 0: long form only
  // Empty: a switch; "FILE...": takes words until the next option or --.
  std::string_view metavar = {};
  std::string_view default_value = {};
  std::string_view help = {};
  std::string_view environment = {};  // variable that provides the value; empty: none
  Choices choices = nullptr;          // of a LIST: of its items
  // With "...": words after the first that this rejects are operands; null: none are.
  bool (*accepts)(std::string_view word) = nullptr;
  OtherValues other_values = OtherValues::kRefused;  // than the choices

  /// True if the values are names of files that are written, which the tables call OUT.
  bool writes_files() const { return metavar.starts_with("OUT"); }
  /// True if the values are names of files; those that are read are called FILE.
  bool takes_files() const { return metavar.starts_with("FILE") || writes_files(); }
  /// True if the values are names of directories.
  bool takes_directories() const { return metavar == "DIR"; }
};

/// The spelling of an option in another program, for users of that program.
struct Alias {
  /// "input": --input is accepted.  "-tok": rejected with the name of the option; otherwise a word
  /// after one dash would be parsed as letters.
  std::string_view spelling;
  std::string_view option;
  std::string_view metavar = {};  // if it differs from that of the option
};

/// An option of another program that a tool does not have, as "--list" or "-nc", and what to do
/// instead, for the error.
struct ForeignOption {
  std::string_view spelling;
  std::string_view advice;
};

struct ToolDescription {
  std::string_view name = {};
  std::string_view purpose;                 // one line
  std::span<const std::string_view> usage;  // the text after the name, one entry per form
  std::span<const Option> options;          // without those of common_options()
  std::string_view operands = {};           // a line about the operands; empty: none are accepted
  std::size_t operands_min = 0;
  std::string (*build)() = nullptr;  // additional lines of --version; null: none
  std::span<const Alias> aliases = {};
  std::span<const ForeignOption> foreign = {};
  std::span<const base::SettingName> settings =
      {};  // the options that messages of the library refer to
};

/// --help, --version, --quiet and --verbose, which every tool has.
std::span<const Option> common_options();

/// Calls visit(option) for those of the tool, and the common ones; not for headings.
template <class Visit>
void for_each_option(const ToolDescription& tool, const Visit& visit) {
  for (const auto& rows : {tool.options, common_options()}) {
    for (const Option& option : rows) {
      if (!option.name.empty()) visit(option);
    }
  }
}

/// The text of --help: at most 79 columns, options under their headings.
std::string help_text(const ToolDescription& tool);

/// Calls call(); an Error of it is a UsageError "SOURCE: …".
template <class Call>
auto for_source(std::string_view source, const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const base::Error& error) {
    throw base::UsageError(base::Message(source, ": ", error.message()));
  }
}

/// The same for "option '--NAME'".
template <class Call>
auto for_option(std::string_view name, const Call& call) -> decltype(call()) {
  return for_source(base::concat("option '--", name, "'"), call);
}

/// The options of one call.  Getters throw std::logic_error for a name that is not in the table.
class Options {
 public:
  /// Throws UsageError if the arguments violate the table; for an unknown option, it suggests the
  /// nearest one.
  static Options parse(const ToolDescription& tool, int argc, const char* const* argv);

  /// Adds the lines `name = value` of --config, for options that have no value yet.  Throws
  /// UsageError naming file and line.
  void read_config(base::LineReader& lines);

  /// The value, or the default, or an empty text.  The last of several values counts.
  std::string text(std::string_view name) const;
  /// As text(), but throws UsageError if there is neither a value nor a default.
  std::string required(std::string_view name) const;
  /// Throws UsageError for a number outside the range, and for one that the type lacks.
  template <std::integral Integer = std::int64_t>
  Integer integer(std::string_view name, base::IntegerRange range = {}) const {
    const auto value = whole_number(name, range);
    if (std::in_range<Integer>(value)) return static_cast<Integer>(value);
    throw base::UsageError(base::concat(source_of(name), ": ", value, " is too large"));
  }
  double real(std::string_view name, base::RealRange range = {}) const;
  /// True if the option was given on the command line, in the environment or in the --config file.
  bool has(std::string_view name) const;
  /// As has(), but false if the value came from the environment.
  bool has_been_typed(std::string_view name) const;
  /// True if the option was given, and `other`, which takes precedence for the same setting, was
  /// not, or only in the --config file.
  bool decides(std::string_view name, std::string_view other) const;
  /// The value of an option whose choices are the texts of `words`, an array of base::Word.
  template <const auto& words>
  auto choice(std::string_view name) const {
    return for_source(source_of(name), [&] { return base::value_of<words>(text(name)); });
  }
  /// Whether the option has no value.
  bool is_switch(std::string_view name) const { return row(name).metavar.empty(); }
  /// The state of a switch.
  bool flag(std::string_view name) const;
  /// All values of an option that may be repeated, or the default.
  std::vector<std::string> each(std::string_view name) const;
  /// As each(), with every value split at commas, but not the name of a file that exists.
  std::vector<std::string> list(std::string_view name) const;
  /// The value of text(), split likewise; nothing if it is empty.
  std::vector<std::string> last_list(std::string_view name) const;
  /// As last_list(), of parts NAME=VALUE with different names.
  std::vector<std::pair<std::string, std::string>> named_values(std::string_view name) const;
  /// As last_list(), converted to numbers.
  std::vector<double> reals(std::string_view name, base::RealRange range = {}) const;
  /// The arguments that are not options.
  const std::vector<std::string>& operands() const { return operands_; }
  const ToolDescription& tool() const { return *tool_; }

  /// What messages call the value: the option, with the line if it is in a file, or the
  /// environment variable.
  std::string source_of(std::string_view name) const;

 private:
  template <class Number>
  Number number(std::string_view name, const std::string& text, const base::Range<Number>& range,
                std::string_view kind) const;
  /// As required(), but the value may be empty, which is not a number.
  std::string number_text(std::string_view name) const;
  std::int64_t whole_number(std::string_view name, base::IntegerRange range) const;
  explicit Options(const ToolDescription& tool) : tool_(&tool) {}
  const Option& row(std::string_view name) const;
  void check_choices() const;
  void read_environment();
  void check_operands() const;

  const ToolDescription* tool_;
  std::map<std::string, std::vector<std::string>, std::less<>> given_;
  std::set<std::string, std::less<>> from_environment_;
  std::map<std::string, std::string, std::less<>> from_file_;  ///< "FILE:LINE: " of each.
  std::vector<std::string> operands_;
};

/// Throws UsageError unless `value` is one of the choices, "option '--NAME': must be a or b, got
/// …", with the nearest choice.
void require_choice(std::string_view name, std::string_view value, Choices choices);

/// Messages with the name and the options -q and -v of the tool.
base::Report report_for(const Options& options);

}  // namespace awend::cli
