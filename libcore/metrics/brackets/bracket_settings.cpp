#include "metrics/brackets/bracket_settings.hpp"

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "metrics/python_space.hpp"

namespace awend::metrics {
namespace {

using Fields = std::vector<std::string_view>;

struct Place {
  std::string_view name;
  std::size_t line;

  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    base::fail(name, ":", line, ": ", parts...);
  }
};

int whole_number(const Fields& fields, const Place& place) {
  const auto number = base::find_number<int>(fields[1]);
  if (!number || *number < 0)
    place.fail(fields[0], " requires a whole number, not '", fields[1], "'");
  return *number;
}

void take(const Fields& fields, const Place& place, BracketSettings& settings) {
  const auto key = fields[0];
  // What evalb prints, and after how many errors it stops.
  if (key == "DEBUG" || key == "DISC_ONLY" || key == "MAX_ERROR") return;
  const std::size_t wanted = key.starts_with("EQ_") ? 3 : 2;
  const auto values = [&] {
    if (fields.size() != wanted) {
      place.fail(key, " requires ", wanted - 1, wanted == 2 ? " value" : " values", ", not ",
                 fields.size() - 1);
    }
    return std::string(fields[1]);
  };
  if (key == "DELETE_LABEL") {
    settings.deleted.insert(values());
  } else if (key == "DELETE_LABEL_FOR_LENGTH") {
    settings.deleted_for_length.insert(values());
  } else if (key == "QUOTE_LABEL") {
    settings.quotes.insert(values());
  } else if (key == "EQ_LABEL" || key == "EQ_WORD") {
    const auto first = values();
    auto& equal = key == "EQ_LABEL" ? settings.equal : settings.equal_words;
    equal.emplace_back(first, fields[2]);
  } else if (key == "CUTOFF_LEN") {
    values();
    settings.cutoff_length = whole_number(fields, place);
  } else if (key == "LABELED") {
    values();
    settings.labeled = whole_number(fields, place) != 0;
  } else {
    place.fail("unknown key '", key, "'");
  }
}

}  // namespace

BracketSettings read_bracket_settings(std::string_view content, std::string_view name) {
  BracketSettings settings;
  settings.deleted.clear();
  settings.deleted_for_length.clear();
  settings.equal.clear();
  Place place{name, 0};
  while (!content.empty()) {
    ++place.line;
    const auto line = content.substr(0, content.find('\n'));
    content.remove_prefix(std::min(content.size(), line.size() + 1));
    Fields fields;
    for_each_python_word(line, [&](std::string_view field) { fields.push_back(field); });
    if (!fields.empty() && fields[0][0] != '#') take(fields, place, settings);
  }
  return settings;
}

}  // namespace awend::metrics
