#include "metrics/mbr/n_best.hpp"

#include <cmath>
#include <span>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "metrics/python_space.hpp"
#include "text/n_best_line.hpp"

namespace awend::metrics {
namespace {

constexpr std::string_view kBar = " ||| ";

double finite_number(std::string_view text, std::string_view where) {
  const auto number = base::find_number<double>(text);
  if (!number || std::isnan(*number)) base::fail(where, ": '", text, "' is not a number");
  return *number;
}

/// Several values of a name are numbered from 1.
void append_feature(std::string_view name, std::span<const double> values, NBestEntry& entry) {
  if (values.size() == 1) entry.features.push_back({std::string(name), values.front()});
  if (values.size() < 2) return;
  for (std::size_t i = 0; i < values.size(); ++i)
    entry.features.push_back({base::concat(name, ".", i + 1), values[i]});
}

void parse_features(std::string_view field, std::string_view where, NBestEntry& entry) {
  std::string_view name;
  std::vector<double> values;
  for_each_python_word(field, [&](std::string_view word) {
    if (word.size() > 1 && (word.ends_with('=') || word.ends_with(':'))) {
      append_feature(name, values, entry);
      values.clear();
      name = word.substr(0, word.size() - 1);
      return;
    }
    if (name.empty())
      base::fail(where, ": expected a feature such as 'logprob= -1', got '", word, "'");
    values.push_back(finite_number(word, where));
  });
  append_feature(name, values, entry);
}

std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

NBestEntry parse_n_best_entry(std::string_view line, std::string_view where) {
  const auto parts = text::parse_n_best_line(line);
  if (!parts) base::fail(where, ": expected an entry of an n-best list, line ||| text ||| ...");
  NBestEntry entry{.line = parts->number, .text = parts->text};
  if (!parts->fields) return entry;
  auto fields = *parts->fields;
  const auto last = fields.find(kBar);
  parse_features(fields.substr(0, last), where, entry);
  if (last == std::string_view::npos) return entry;
  fields = fields.substr(last + kBar.size());
  const auto score = without_spaces(fields.substr(0, fields.find(kBar)));
  entry.features.push_back({"score", finite_number(score, where)});
  return entry;
}

}  // namespace awend::metrics
