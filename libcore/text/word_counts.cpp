#include "text/word_counts.hpp"

#include <algorithm>

namespace awend::text {
namespace {
constexpr std::size_t kShortChunkBytes = 32;
}

void WordCounter::add(Counts& counts, std::string_view text, std::uint64_t count) {
  const auto found = counts.find(text);
  if (found != counts.end()) {
    found->second += count;
  } else {
    counts.emplace(text, count);
  }
}

void WordCounter::add_words(Counts& counts, std::string_view chunk, std::uint64_t count) const {
  std::vector<std::string_view> words;
  breaker_.cut(chunk, words);
  for (const std::string_view word : words) add(counts, word, count);
}

void WordCounter::add(std::string_view line) {
  const std::string text = with_first_space(normalize(line, normalization_));
  for_each_chunk(text, [&](std::string_view chunk) {
    if (chunk.size() <= kShortChunkBytes) {
      add(chunks_, chunk, 1);
    } else {
      add_words(words_, chunk, 1);
    }
  });
}

void WordCounter::add_all(const WordCounter& other) {
  for (const auto& [chunk, count] : other.chunks_) add(chunks_, chunk, count);
  for (const auto& [word, count] : other.words_) add(words_, word, count);
}

std::vector<WordCount> WordCounter::sorted() const {
  Counts words = words_;
  for (const auto& [chunk, count] : chunks_) add_words(words, chunk, count);
  std::vector<WordCount> sorted;
  sorted.reserve(words.size());
  for (const auto& [word, count] : words) sorted.push_back({word, count});
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.word < b.word; });
  return sorted;
}

}  // namespace awend::text
