#include "align/link_lexicon.hpp"

#include <algorithm>
#include <cmath>

#include "base/concat.hpp"

namespace awend::align {

void LinkLexicon::add(SentencePair pair, std::span<const text::Link> links) {
  for (const auto& link : links)
    ++counts_[std::uint64_t{pair.source[link.source]} << 32 | pair.target[link.target]];
}

void LinkLexicon::write(const Bitext& bitext, base::OutputFile& out) const {
  struct Entry {
    WordId source, target;
    std::uint64_t count;
  };
  std::vector<Entry> entries;
  std::vector<std::uint64_t> totals(bitext.source_words.size());
  for (const auto& [key, count] : counts_) {
    entries.push_back({static_cast<WordId>(key >> 32), static_cast<WordId>(key), count});
    totals[entries.back().source] += count;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    if (a.source != b.source) return a.source < b.source;
    return a.count != b.count ? a.count > b.count : a.target < b.target;
  });
  for (const auto& [source, target, count] : entries) {
    const double probability = static_cast<double>(count) / static_cast<double>(totals[source]);
    out.write(base::concat(bitext.target_words.word(target), " ", bitext.source_words.word(source),
                           " ", std::round(probability * 1e6) / 1e6, "\n"));
  }
}

}  // namespace awend::align
