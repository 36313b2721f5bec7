#include "field_options.hpp"

#include <algorithm>

namespace awend::tools {

void OptionTable::add(std::string_view group, const cli::Option& option, std::string_view before) {
  auto found = std::ranges::find(groups_, group, &Group::heading);
  if (found == groups_.end()) found = groups_.insert(groups_.end(), {group, {}});
  auto& options = found->options;
  options.insert(std::ranges::find(options, before, &cli::Option::name), option);
}

void OptionTable::add_field(const base::FieldText& about, const base::Domain& domain,
                            std::string_view default_value) {
  // Architectures may have settings of the same name, which are one option.
  for (const Group& group : groups_) {
    if (std::ranges::find(group.options, about.name, &cli::Option::name) != group.options.end())
      return;
  }
  cli::Option option{
      .name = about.name, .letter = about.letter, .metavar = about.metavar, .help = about.help};
  if (const auto* words = std::get_if<base::Words>(&domain)) {
    option.help = keep(base::concat(about.help, ": ", base::alternatives(words->all())));
    option.choices = words->all;
  }
  if (about.default_from == base::DefaultFrom::kStruct) {
    std::string text(default_value);
    if (const auto exponent = text.find("e-0"); exponent != std::string::npos)
      text.erase(exponent + 2, 1);  // 1e-9, as people write it
    option.default_value = keep(text);
  }
  add(about.group, option);
}

std::vector<cli::Option> OptionTable::rows(std::string_view last_group) const {
  std::vector<cli::Option> rows;
  const auto append = [&](const Group& group) {
    if (!group.heading.empty()) rows.push_back({.help = group.heading});
    rows.insert(rows.end(), group.options.begin(), group.options.end());
  };
  for (const Group& group : groups_) {
    if (group.heading != last_group) append(group);
  }
  for (const Group& group : groups_) {
    if (group.heading == last_group) append(group);
  }
  return rows;
}

}  // namespace awend::tools
