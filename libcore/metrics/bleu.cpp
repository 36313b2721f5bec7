#include "metrics/bleu.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "base/error.hpp"
#include "base/version.hpp"
#include "text/case.hpp"

namespace awend::metrics {
namespace {

using Ids = std::vector<std::uint32_t>;

// Gives equal things of one line the same small number.
template <class Thing>
class Numbering {
 public:
  std::uint32_t operator()(const Thing& thing) {
    return numbers_.try_emplace(thing, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  std::size_t size() const { return numbers_.size(); }

 private:
  std::unordered_map<Thing, std::uint32_t> numbers_;
};

Ids number_words(std::span<const std::string> words, Numbering<std::string_view>& numbering) {
  Ids ids;
  ids.reserve(words.size());
  for (const auto& word : words) ids.push_back(numbering(word));
  return ids;
}

// Each n-gram is its first n - 1 words, which have a number by now, and one more word: two numbers,
// one key, no hashing of texts.
void lengthen(Ids& ngrams, const Ids& words, Numbering<std::uint64_t>& numbering) {
  const auto order = words.size() - ngrams.size() + 2;
  if (!ngrams.empty()) ngrams.pop_back();
  for (std::size_t i = 0; i < ngrams.size(); ++i) {
    ngrams[i] = numbering(std::uint64_t{ngrams[i]} << 32 | words[i + order - 1]);
  }
}

Ids count(const Ids& ngrams, std::size_t kinds) {
  Ids counts(kinds);
  for (auto ngram : ngrams) ++counts[ngram];
  return counts;
}

// How many of the hypothesis's n-grams some reference has too, each counted at most as often as the
// reference richest in it.
std::uint64_t clipped_matches(const Ids& hypothesis, std::span<const Ids> references,
                              std::size_t kinds) {
  Ids most(kinds);
  for (const auto& reference : references) {
    const auto counts = count(reference, kinds);
    for (std::size_t i = 0; i < kinds; ++i) most[i] = std::max(most[i], counts[i]);
  }
  const auto counts = count(hypothesis, kinds);
  std::uint64_t matches = 0;
  for (std::size_t i = 0; i < kinds; ++i) matches += std::min(counts[i], most[i]);
  return matches;
}

std::uint64_t closest_length(std::size_t length,
                             std::span<const std::vector<std::string>> references) {
  const auto distance = [length](std::size_t other) {
    return std::max(length, other) - std::min(length, other);
  };
  auto closest = references.front().size();
  for (const auto& reference : references) {
    const auto size = reference.size();
    const auto nearer = distance(size) < distance(closest);
    if (nearer || (distance(size) == distance(closest) && size < closest)) closest = size;
  }
  return closest;
}

}  // namespace

BleuStatistics& BleuStatistics::operator+=(const BleuStatistics& other) {
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    matches[n] += other.matches[n];
    totals[n] += other.totals[n];
  }
  hypothesis_words += other.hypothesis_words;
  reference_words += other.reference_words;
  return *this;
}

BleuStatistics bleu_statistics(std::span<const std::string> hypothesis,
                               std::span<const std::vector<std::string>> references) {
  base::check(!references.empty(), "a line has a reference");
  BleuStatistics statistics;
  statistics.hypothesis_words = hypothesis.size();
  statistics.reference_words = closest_length(hypothesis.size(), references);

  Numbering<std::string_view> number_word;
  const auto hypothesis_words = number_words(hypothesis, number_word);
  std::vector<Ids> reference_words;
  for (const auto& reference : references)
    reference_words.push_back(number_words(reference, number_word));

  auto ngrams = hypothesis_words;
  auto reference_ngrams = reference_words;
  auto kinds = number_word.size();
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    statistics.totals[n] = ngrams.size();
    statistics.matches[n] = clipped_matches(ngrams, reference_ngrams, kinds);
    Numbering<std::uint64_t> number_ngram;
    lengthen(ngrams, hypothesis_words, number_ngram);
    for (std::size_t i = 0; i < reference_words.size(); ++i) {
      lengthen(reference_ngrams[i], reference_words[i], number_ngram);
    }
    kinds = number_ngram.size();
  }
  return statistics;
}

BleuScore bleu_score(const BleuStatistics& statistics) {
  BleuScore result;
  const auto hypothesis = static_cast<double>(statistics.hypothesis_words);
  const auto reference = static_cast<double>(statistics.reference_words);
  if (hypothesis < reference)
    result.brevity_penalty = hypothesis > 0 ? std::exp(1 - reference / hypothesis) : 0;
  result.ratio = reference > 0 ? hypothesis / reference : 0;
  if (std::ranges::all_of(statistics.matches, [](auto matches) { return matches == 0; }))
    return result;

  double halvings =
      1;  // an order without a match counts as half a match, the next one as a quarter, and so on
  for (std::size_t n = 0; n < kBleuOrder && statistics.totals[n] > 0; ++n) {
    const auto total = static_cast<double>(statistics.totals[n]);
    if (statistics.matches[n] == 0) {
      halvings *= 2;
      result.precisions[n] = 100 / (halvings * total);
    } else {
      result.precisions[n] = 100 * static_cast<double>(statistics.matches[n]) / total;
    }
  }
  // An order that the corpus is too short for stays at nought, and so does the score.
  if (std::ranges::find(result.precisions, 0.0) != result.precisions.end()) return result;
  double logarithms = 0;
  for (double precision : result.precisions) logarithms += std::log(precision);
  result.score = result.brevity_penalty * std::exp(logarithms / kBleuOrder);
  return result;
}

void Bleu::add(std::string_view hypothesis, std::span<const std::string_view> references) {
  base::check(reference_count_ == 0 || reference_count_ == references.size(),
              "a fixed number of references");
  reference_count_ = references.size();
  std::vector<std::vector<std::string>> reference_words;
  for (auto reference : references) reference_words.push_back(words(reference));
  statistics_ += bleu_statistics(words(hypothesis), reference_words);
}

std::vector<std::string> Bleu::words(std::string_view line) const {
  if (settings_.letter_case == LetterCase::kMixed) return words_of(line, settings_.tokenizer);
  return words_of(text::lower_case(line), settings_.tokenizer);
}

std::string Bleu::signature() const {
  return base::concat("nrefs:", reference_count_,
                      "|case:", settings_.letter_case == LetterCase::kMixed ? "mixed" : "lc",
                      "|eff:no|tok:", name_of(settings_.tokenizer), "|smooth:exp|version:awend-",
                      base::version());
}

std::string Bleu::line(int digits) const {
  const auto result = score();
  auto line = base::concat("BLEU|", signature(), " = ", fixed(result.score, digits));
  char before = ' ';
  for (double precision : result.precisions) {
    line += before + fixed(precision, 1);
    before = '/';
  }
  return base::concat(
      line, " (BP = ", fixed(result.brevity_penalty, 3), " ratio = ", fixed(result.ratio, 3),
      " hyp_len = ", statistics_.hypothesis_words, " ref_len = ", statistics_.reference_words, ")");
}

std::string fixed(double number, int digits) {
  char text[512];  // the largest double has 309 digits before the dot
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, number, std::chars_format::fixed, digits);
  base::check(error == std::errc(), "the number fits its text");
  return {text, end};
}

}  // namespace awend::metrics
