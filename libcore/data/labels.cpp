#include "data/labels.hpp"

#include <set>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "data/cache_format.hpp"
#include "text/spaced_words.hpp"

namespace awend::data {

std::vector<std::string> read_labels(std::span<const std::string> paths,
                                     const base::Report& report) {
  std::set<std::string, std::less<>> labels;
  for (const auto& path : paths) {
    base::LineReader reader(path);
    if (!identity_of(path))
      base::fail(reader.name(), ": labels are read twice, so they must be in a regular file");
    std::string_view line;
    bool has_labels = false;
    while (reader.next(line)) {
      if (line.find('\t') != std::string_view::npos)
        base::fail(reader.place(), ": a label has a tab, which separates labels in output");
      text::for_each_word(line, [&](std::string_view label) {
        has_labels = true;
        if (!labels.contains(label)) labels.emplace(label);
      });
    }
    if (reader.carriage_returns() > 0) {
      report.warning(base::concat(reader.name(), ": ", reader.carriage_returns(),
                                  " lines end in CR, which is kept as text"));
    }
    if (!has_labels) base::fail(path, ": no labels");
  }
  if (labels.size() == 1)
    base::fail(paths.front(), ": expected two or more labels, got only '", *labels.begin(), "'");
  return {labels.begin(), labels.end()};
}

LabelIds::LabelIds(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::uint32_t id = 0; id < names_.size(); ++id) ids_.emplace(names_[id], id);
}

std::optional<std::uint32_t> LabelIds::find(std::string_view label) const {
  const auto found = ids_.find(label);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace awend::data
