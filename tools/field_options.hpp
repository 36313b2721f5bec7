// Options for the settings that a table describes (base/field.hpp): their rows in the table of
// options, and their values.  Test: tests/cli/train_config.sh.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/field.hpp"
#include "cli/options.hpp"

namespace awend::tools {

/// A table of options with rows for settings.  Rows refer to text in the object.
class OptionTable {
 public:
  OptionTable() = default;
  OptionTable(const OptionTable&) = delete;
  OptionTable& operator=(const OptionTable&) = delete;

  /// Adds a row to the end of a group, or before the row `before`.
  void add(std::string_view group, const cli::Option& option, std::string_view before = {});

  /// Adds a row for each setting with a group.
  template <class Struct>
  void add(std::span<const base::Field<Struct>> fields) {
    for (const auto& field : fields) {
      if (!field.about.group.empty()) add_field(field.about, field.domain, field.text(Struct{}));
    }
  }

  /// All rows, under the headings of their groups.  Groups are in the order in which they were
  /// added, except that `last_group` is the last.
  std::vector<cli::Option> rows(std::string_view last_group) const;

 private:
  struct Group {
    std::string_view heading;
    std::vector<cli::Option> options;
  };
  void add_field(const base::FieldText& about, const base::Domain& domain,
                 std::string_view default_value);
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  std::deque<std::string> texts_;
  std::vector<Group> groups_;
};

/// Sets each member whose option is given.  Throws UsageError for a value that it does not accept.
template <class Struct>
void apply(const cli::Options& options, std::span<const base::Field<Struct>> fields,
           Struct& object) {
  for (const auto& field : fields) {
    const auto name = field.about.name;
    if (field.about.group.empty() || !options.has(name)) continue;
    const bool is_list = std::holds_alternative<base::AnyText>(field.domain);
    const auto text = is_list ? base::join(options.each(name), ",") : options.text(name);
    cli::for_source(options.source_of(name), [&] {
      base::require_in_domain(field.domain, text);
      field.set(object, text);
    });
  }
}

/// Lines "name = value" for --config, without values that the options do not accept: 0 as the end
/// of a schedule without one, or an empty list.  Settings that checkpoints omit are omitted, too,
/// if they are those of `defaults`, unless the preset decides their defaults.
template <class Struct>
std::string config_lines(std::span<const base::Field<Struct>> fields, const Struct& object,
                         const Struct& defaults = {}) {
  std::string lines;
  for (const auto& field : fields) {
    const auto text = field.text(object);
    if (field.about.group.empty() || text.empty()) continue;
    // The default of a preset may be another one.
    const bool is_default =
        text == field.text(defaults) && field.about.default_from == base::DefaultFrom::kStruct;
    if (field.about.stored == base::Stored::kUnlessDefault && is_default) continue;
    try {
      base::require_in_domain(field.domain, text);
    } catch (const base::Error&) {
      continue;
    }
    lines += base::concat(field.about.name, " = ", text, "\n");
  }
  return lines;
}

}  // namespace awend::tools
