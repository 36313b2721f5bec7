#include "align/prior.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.hpp"
#include "base/numbers.hpp"

namespace awend::align {
namespace {

constexpr std::string_view kHeader = "awend-alignment-prior 1";
constexpr double kLeastCount = 0.01;
// The sum of all counts must be far from the largest integer.
constexpr double kMostCount = 1e6, kMostJumps = 1e9;

// The words of one direction.
struct Side {
  PriorCounts& counts;
  WordIds &source, &target;
};

void read_lexical(const std::vector<std::string_view>& fields, const Side& side) {
  const auto count = base::to_number<double>(fields[3], "a count", {.min = 0, .max = kMostCount});
  if (fields[2].empty()) base::fail("a target word is empty");
  side.counts.lexicon.push_back({fields[1].empty() ? kNoWord : side.source.add(fields[1]),
                                 side.target.add(fields[2]), to_count(count)});
}

void read_jump(const std::vector<std::string_view>& fields, const Side& side) {
  const auto distance = base::to_number<int>(fields[1], "a distance",
                                             {.min = -Jumps::kFarthest, .max = Jumps::kFarthest});
  side.counts.jumps[Jumps::index(distance)] +=
      to_count(base::to_number<double>(fields[2], "a count", {.min = 0, .max = kMostJumps}));
}

/// A count with two decimals, and at most what can be read again.
double stored_count(std::uint64_t count, double most) {
  return std::round(std::min(static_cast<double>(count) / kCountUnit, most) * 100) / 100;
}

// One pair twice would be two slots of the lexicon.
void merge(std::vector<LexiconEntry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
  std::vector<LexiconEntry> merged;
  for (const auto& entry : entries) {
    const bool is_same = !merged.empty() && merged.back().source == entry.source &&
                         merged.back().target == entry.target;
    if (is_same) {
      merged.back().count += entry.count;
    } else {
      merged.push_back(entry);
    }
  }
  entries = std::move(merged);
}

void write(std::string_view name, const PriorCounts& counts, std::array<const WordIds*, 2> words,
           base::OutputFile& out) {
  auto entries = counts.lexicon;
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
  for (const auto& entry : entries) {
    const auto source = entry.source == kNoWord ? std::string_view() : words[0]->word(entry.source);
    const auto target = words[1]->word(entry.target);
    const bool has_tab = source.find('\t') != source.npos || target.find('\t') != target.npos;
    if (has_tab || static_cast<double>(entry.count) / kCountUnit < kLeastCount) continue;
    out.write(base::concat(name, "\t", source, "\t", target, "\t",
                           stored_count(entry.count, kMostCount), "\n"));
  }
  for (int distance = -Jumps::kFarthest; distance <= Jumps::kFarthest; ++distance)
    out.write(base::concat(name, "-jump\t", distance, "\t",
                           stored_count(counts.jumps[Jumps::index(distance)], kMostJumps), "\n"));
}

}  // namespace

Priors read_priors(base::LineReader& lines, Bitext& bitext) {
  Priors priors;
  const Side forward{priors.forward, bitext.source_words, bitext.target_words};
  const Side reverse{priors.reverse, bitext.target_words, bitext.source_words};
  std::string_view line;
  if (!lines.next(line) || line != kHeader)
    base::fail(lines.name(), ": not the prior of an aligner, which begins with '", kHeader, "'");
  while (lines.next(line)) {
    base::at_line(lines, [&] {
      const auto fields = base::split(line, '\t');
      const bool is_forward = fields[0].starts_with("forward");
      const auto& side = is_forward ? forward : reverse;
      const auto kind = fields[0].substr(std::min<std::size_t>(7, fields[0].size()));
      if (!is_forward && !fields[0].starts_with("reverse"))
        base::fail("'", fields[0], "' is not forward, reverse, forward-jump or reverse-jump");
      if (kind.empty() && fields.size() == 4) {
        read_lexical(fields, side);
      } else if (kind == "-jump" && fields.size() == 3) {
        read_jump(fields, side);
      } else {
        base::fail(
            "expected DIRECTION SOURCE TARGET COUNT or DIRECTION-jump DISTANCE COUNT, with tabs");
      }
    });
  }
  merge(priors.forward.lexicon);
  merge(priors.reverse.lexicon);
  return priors;
}

void write_priors(const Priors& priors, const Bitext& bitext, base::OutputFile& out) {
  out.write(base::concat(kHeader, "\n"));
  write("forward", priors.forward, {&bitext.source_words, &bitext.target_words}, out);
  write("reverse", priors.reverse, {&bitext.target_words, &bitext.source_words}, out);
}

}  // namespace awend::align
