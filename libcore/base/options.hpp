// One table describes a tool's command line: the parser, --help and the check of the man page are
// all made from it.
//
// A value ranks: the table's default < `name = value` in the file of --config (where the table has
// "config") < the option's environment variable < the option itself.  Boost.Program_options does
// the parsing, behind options.cpp. Test: tests/unit/base/options_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::base {

/// One option.  A row without a name is a heading over the rows that follow.
struct Option {
  std::string_view name = {};
  char letter = 0;                // 0: the long form only
  std::string_view metavar = {};  // empty: a switch; "FILE...": takes words up to an option or --
  std::string_view default_value = {};
  std::string_view help = {};
  std::string_view environment = {};  // a variable that gives the value; empty: none
  std::string_view choices = {};      // words that it may be, with spaces between; empty: any
};

/// Another program's spelling of an option, for those who come from it.
struct Alias {
  /// "input": --input is accepted.  "-tok": refused, but the message names the option; a word after
  /// one dash would otherwise be read as letters.
  std::string_view spelling;
  std::string_view option;
  std::string_view metavar = {};  // where it differs from the option's
};

struct ToolDescription {
  std::string_view name = {};
  std::string_view purpose;                 // one line
  std::span<const std::string_view> usage;  // what follows the name, one entry a form
  std::span<const Option> options;          // without those of common_options()
  std::string_view operands = {};           // a line on the operands; empty: none are taken
  std::size_t operands_min = 0;
  std::string (*build)() = nullptr;  // more lines of --version; null: none
  std::span<const Alias> aliases = {};
};

/// --help, --version, --quiet and --verbose, which every tool has.
std::span<const Option> common_options();

/// What --help prints: at most 79 columns, options under their headings.
std::string help_text(const ToolDescription& tool);

/// The values of one call.  A getter asked for a name that the table lacks is our own mistake:
/// std::logic_error.
class Options {
 public:
  /// Throws UsageError for what the table does not allow; an unknown option is answered with the
  /// nearest one.
  static Options parse(const ToolDescription& tool, int argc, const char* const* argv);

  /// The value, or the default; empty if there is neither.  Of a repeated option the last counts.
  std::string text(std::string_view name) const;
  /// As text(), but UsageError if there is neither.
  std::string required(std::string_view name) const;
  std::int64_t integer(std::string_view name, IntegerRange range = {}) const;
  double real(std::string_view name, RealRange range = {}) const;
  /// True when the option was given, here or in the --config file.
  bool has(std::string_view name) const;
  /// As has(), but false where the environment gave it.
  bool has_been_typed(std::string_view name) const;
  /// The state of a switch.
  bool flag(std::string_view name) const;
  /// All values of an option that may be repeated, as they were given; the default where there are
  /// none.
  std::vector<std::string> each(std::string_view name) const;
  /// As each(), and every value cut at its commas.
  std::vector<std::string> list(std::string_view name) const;
  /// The value that text() gives, cut at its commas; nothing if it is empty.
  std::vector<std::string> last_list(std::string_view name) const;
  /// As last_list(), of numbers.
  std::vector<double> reals(std::string_view name, RealRange range = {}) const;
  /// What stood on the command line besides options.
  const std::vector<std::string>& operands() const { return operands_; }
  const ToolDescription& tool() const { return *tool_; }

 private:
  explicit Options(const ToolDescription& tool) : tool_(&tool) {}
  const Option& row(std::string_view name) const;
  void read_environment();
  void read_config(const std::string& path);
  void check_operands() const;

  const ToolDescription* tool_;
  std::map<std::string, std::vector<std::string>, std::less<>> given_;
  std::set<std::string, std::less<>> from_environment_;
  std::vector<std::string> operands_;
};

/// The candidate that `word` was most likely meant to be, or an empty text if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace awend::base
