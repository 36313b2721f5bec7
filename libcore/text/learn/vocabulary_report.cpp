#include "text/learn/vocabulary_report.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "base/concat.hpp"
#include "base/utf8.hpp"

namespace awend::text {
namespace {

constexpr std::size_t kRarest = 20;

std::string percent(std::uint64_t part, std::uint64_t all) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f%%",
                all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all));
  return text;
}

std::string ratio(std::uint64_t part, std::uint64_t all) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f",
                all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all));
  return text;
}

// Characters of the text, and those that some piece can write.
struct Coverage {
  std::uint64_t characters = 0, covered = 0;
};

Coverage coverage_of(const Vocabulary& vocabulary, std::span<const WordCount> words) {
  // Which characters pieces are made of; a space is written as the marker in our own types.
  std::vector<bool> known(0x110000);
  known[U' '] = true;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    if (vocabulary.is_special(id)) continue;
    if (is_reversible(vocabulary.type()) && Vocabulary::is_byte(id)) continue;
    const std::string_view piece = vocabulary.piece(id);
    for (std::size_t position = 0; position < piece.size();) {
      const base::Utf8Step step = base::utf8_step(piece, position);
      known[step.code_point] = true;
      position += step.size_bytes;
    }
  }
  Coverage coverage;
  for (const WordCount& word : words) {
    for (std::size_t position = 0; position < word.word.size();) {
      const base::Utf8Step step = base::utf8_step(word.word, position);
      coverage.characters += word.count;
      coverage.covered += known[step.code_point] ? word.count : 0;
      position += step.size_bytes;
    }
  }
  return coverage;
}

// Ids by falling count, without special ones and bytes.
std::vector<std::uint32_t> pieces_by_count(const Vocabulary& vocabulary) {
  const bool has_bytes = is_reversible(vocabulary.type());
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    if (!vocabulary.is_special(id) && !(has_bytes && Vocabulary::is_byte(id))) ids.push_back(id);
  }
  std::stable_sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) {
    return vocabulary.count(a) > vocabulary.count(b);
  });
  return ids;
}

}  // namespace

std::string vocabulary_report(const Vocabulary& vocabulary, std::span<const WordCount> words) {
  std::uint64_t tokens = 0, byte_tokens = 0, word_tokens = 0;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    tokens += vocabulary.count(id);
    if (is_reversible(vocabulary.type()) && Vocabulary::is_byte(id))
      byte_tokens += vocabulary.count(id);
  }
  for (const WordCount& word : words) word_tokens += word.count;
  const Coverage coverage = coverage_of(vocabulary, words);
  const std::vector<std::uint32_t> ids = pieces_by_count(vocabulary);
  const auto unused = std::count_if(ids.begin(), ids.end(),
                                    [&](std::uint32_t id) { return vocabulary.count(id) == 0; });
  std::string out = base::concat(
      "ids\t", vocabulary.size(), "\npieces\t", ids.size(), "\npieces never used\t", unused,
      "\ndifferent words\t", words.size(), "\nwords\t", word_tokens, "\ntokens\t", tokens,
      "\ntokens a word\t", ratio(tokens, word_tokens), "\ncharacters\t", coverage.characters,
      "\ncharacters a token\t", ratio(coverage.characters, tokens), "\ncharacters covered\t",
      percent(coverage.covered, coverage.characters), "\n");
  out += base::concat(
      is_reversible(vocabulary.type()) ? "tokens that are bytes" : "unknown tokens", "\t",
      percent(
          is_reversible(vocabulary.type()) ? byte_tokens : vocabulary.count(vocabulary.unknown()),
          tokens),
      "\nrarest\t");
  const auto used = ids.size() - static_cast<std::size_t>(unused);
  for (std::size_t i = used - std::min(used, kRarest); i < used; ++i)
    out += base::concat(i + kRarest > used && i > used - std::min(used, kRarest) ? " " : "",
                        vocabulary.piece(ids[i]), "=", vocabulary.count(ids[i]));
  return out + "\n";
}

}  // namespace awend::text
