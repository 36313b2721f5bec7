#include "text/lexical_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::text {
namespace {

constexpr std::string_view kNoWord = "NULL";

using Fields = std::array<std::string_view, 3>;

/// The three words of a line, between spaces and tabs; nothing if it has another number of words.
std::optional<Fields> fields_of(std::string_view line) {
  constexpr std::string_view kSpaces = " \t\r";
  Fields fields;
  std::size_t count = 0, begin = line.find_first_not_of(kSpaces);
  while (begin != line.npos) {
    const auto end = std::min(line.find_first_of(kSpaces, begin), line.size());
    if (count == fields.size()) return std::nullopt;
    fields[count++] = line.substr(begin, end - begin);
    begin = line.find_first_not_of(kSpaces, end);
  }
  return count == fields.size() ? std::optional(fields) : std::nullopt;
}

struct Entry {
  std::uint32_t source, target;
  double probability;
};

/// The target ids of entries with one source, each target once.
Ids best_of(std::span<Entry> entries, const LexicalLimits& limits) {
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return std::tie(a.probability, a.target) > std::tie(b.probability, b.target);
  });
  Ids ids;
  for (const Entry& entry : entries) {
    if (ids.size() == limits.best || !(entry.probability > limits.threshold)) break;
    ids.push_back(entry.target);
  }
  std::ranges::sort(ids);
  return ids;
}

}  // namespace

bool looks_lexical(std::string_view line) {
  const auto fields = fields_of(line);
  return fields && base::find_number<double>((*fields)[2]).has_value();
}

std::vector<Ids> read_lexical_table(base::LineReader& in, const Vocabulary& source,
                                    const Vocabulary& target, const LexicalLimits& limits) {
  std::vector<Entry> entries;
  std::string_view line;
  bool is_empty = true;
  while (in.next(line)) {
    const auto fields = fields_of(line);
    const auto probability = fields ? base::find_number<double>((*fields)[2]) : std::nullopt;
    if (!probability || !(*probability >= 0) || std::isinf(*probability)) {
      base::fail(in.place(), ": expected 'TARGET SOURCE PROBABILITY', found '", line.substr(0, 100),
                 "'");
    }
    is_empty = false;
    if ((*fields)[0] == kNoWord || (*fields)[1] == kNoWord) continue;
    const auto target_id = target.find((*fields)[0]), source_id = source.find((*fields)[1]);
    if (target_id && source_id) entries.push_back({*source_id, *target_id, *probability});
  }
  if (is_empty) base::fail(in.name(), ": no lines");
  if (entries.empty())
    base::fail(in.name(), ": the vocabularies have the words of no line; is it for another model?");
  // Stable: the last line of a pair remains the last one.
  std::ranges::stable_sort(
      entries, {}, [](const Entry& entry) { return std::pair(entry.source, entry.target); });
  std::vector<Ids> lists(source.size());
  std::vector<Entry> own;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& entry = entries[i];
    const bool is_last = i + 1 == entries.size();
    if (is_last || entries[i + 1].source != entry.source || entries[i + 1].target != entry.target)
      own.push_back(entry);
    if (!is_last && entries[i + 1].source == entry.source) continue;
    lists[entry.source] = best_of(own, limits);
    own.clear();
  }
  return lists;
}

}  // namespace awend::text
