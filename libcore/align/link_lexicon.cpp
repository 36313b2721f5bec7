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
  // Readers take a tab as a separator, and a CR as a part of the end of a line.
  const auto is_readable = [](std::string_view word) {
    return word.find_first_of("\t\r") == word.npos;
  };
  for (const auto& [source, target, count] : entries) {
    const auto source_word = bitext.source_words.word(source);
    const auto target_word = bitext.target_words.word(target);
    if (!is_readable(source_word) || !is_readable(target_word)) continue;
    const double probability = static_cast<double>(count) / static_cast<double>(totals[source]);
    out.write(base::concat(target_word, " ", source_word, " ", std::round(probability * 1e6) / 1e6,
                           "\n"));
  }
}

}  // namespace awend::align
