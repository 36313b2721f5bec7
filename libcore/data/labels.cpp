#include "data/labels.hpp"

#include <set>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "data/cache_format.hpp"
#include "text/spaced_words.hpp"

namespace awend::data {

std::vector<std::string> read_labels(std::span<const std::string> paths) {
  std::set<std::string, std::less<>> labels;
  for (const auto& path : paths) {
    base::LineReader reader(path);
    if (!identity_of(path))
      base::fail(reader.name(), ": labels are read twice, so they must be in a regular file");
    std::string_view line;
    while (reader.next(line)) {
      text::for_each_word(line, [&](std::string_view label) {
        if (!labels.contains(label)) labels.emplace(label);
      });
    }
    if (labels.empty()) base::fail(path, ": no labels");
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
