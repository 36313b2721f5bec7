#include "text/learn/vocabulary_report.hpp"

#include <algorithm>
#include <vector>

#include "base/format.hpp"
#include "base/utf8.hpp"

namespace awend::text {
namespace {

constexpr std::size_t kRarest = 20;

double quotient(double part, std::uint64_t all) {
  return all == 0 ? 0 : part / static_cast<double>(all);
}

std::string percent(std::uint64_t part, std::uint64_t all) {
  return base::fixed(quotient(100 * static_cast<double>(part), all), 4) + "%";
}

std::string ratio(std::uint64_t part, std::uint64_t all) {
  return base::fixed(quotient(static_cast<double>(part), all), 3);
}

// The characters of the text, and those that some piece contains.
struct Coverage {
  std::uint64_t characters = 0, covered = 0;
};

Coverage coverage_of(const Vocabulary& vocabulary, std::span<const WordCount> words) {
  // The characters of pieces; in vocabularies of build-vocab, the marker represents a space.
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

// Ids by decreasing count, without special pieces and bytes.
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
