#include "metrics/ngram_matches.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "text/text_hash.hpp"

namespace awend::metrics {

void NgramMatches::Slots::reset(std::size_t entries) {
  const auto size = std::bit_ceil(2 * entries + 1);
  mask = size - 1;
  if (slots.size() < size) slots.resize(size);
  std::fill_n(slots.begin(), size, kNone);
}

// The slot that holds the word's number, or the free one where it belongs.
std::uint32_t* NgramMatches::find_word(std::string_view word) {
  auto place = text::text_hash(word) & word_slots_.mask;
  while (true) {
    auto& slot = word_slots_.slots[place];
    if (slot == kNone || words_[slot] == word) return &slot;
    place = (place + 1) & word_slots_.mask;
  }
}

std::uint32_t* NgramMatches::find_ngram(std::uint64_t key) {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  auto place = (key * kMix >> 32) & ngram_slots_.mask;
  while (true) {
    auto& slot = ngram_slots_.slots[place];
    if (slot == kNone || ngrams_[slot].key == key) return &slot;
    place = (place + 1) & ngram_slots_.mask;
  }
}

// How often the n-gram has come in this line, this time too.
std::uint32_t NgramMatches::see(std::uint32_t number) {
  auto& ngram = ngrams_[number];
  if (ngram.line != line_) ngram.line = line_, ngram.seen = 0;
  return ++ngram.seen;
}

void NgramMatches::set_references(std::span<const Words> references) {
  std::size_t total = 0;
  for (const auto& reference : references) total += reference.words.size();
  base::check(total < kNone / (2 * max_order_ + 2), "a segment of less than 2^32 n-grams");
  words_.clear();
  ngrams_.clear();
  line_ = 0;
  word_slots_.reset(total);
  numbers_.clear();
  for (const auto& reference : references) {
    for (const auto word : reference.words) numbers_.push_back(number_of(word));
  }
  ngram_slots_.reset(total * (max_order_ - 1));
  std::size_t begin = 0;
  for (const auto& reference : references) {
    add_reference(std::span(numbers_).subspan(begin, reference.words.size()));
    begin += reference.words.size();
  }
}

// A new one for a new word.
std::uint32_t NgramMatches::number_of(std::string_view word) {
  auto* slot = find_word(word);
  if (*slot == kNone) {
    *slot = static_cast<std::uint32_t>(words_.size());
    words_.push_back(word);
    ngrams_.push_back({});
  }
  return *slot;
}

void NgramMatches::add_reference(std::span<const std::uint32_t> numbers) {
  ++line_;
  begun_.assign(numbers.begin(), numbers.end());
  for (const auto number : numbers) {
    ngrams_[number].most = std::max(ngrams_[number].most, see(number));
  }
  for (std::size_t order = 2; order <= max_order_ && order <= numbers.size(); ++order) {
    for (std::size_t i = 0; i + order <= numbers.size(); ++i) {
      const auto key = std::uint64_t{begun_[i]} << 32 | numbers[i + order - 1];
      auto* slot = find_ngram(key);
      if (*slot == kNone) {
        *slot = static_cast<std::uint32_t>(ngrams_.size());
        ngrams_.push_back({key, 0, 0, 0});
      }
      begun_[i] = *slot;
      const auto seen = see(*slot);
      ngrams_[*slot].most = std::max(ngrams_[*slot].most, seen);
    }
  }
}

void NgramMatches::count(std::span<const std::string_view> words, std::span<std::int64_t> matches) {
  ++line_;
  std::ranges::fill(matches, 0);
  numbers_.clear();
  for (const auto word : words) {
    const auto number = *find_word(word);
    numbers_.push_back(number);
    if (number != kNone && see(number) <= ngrams_[number].most) ++matches[0];
  }
  begun_ = numbers_;
  bool any = matches[0] > 0;
  for (std::size_t order = 2; any && order <= max_order_ && order <= words.size(); ++order) {
    any = false;
    for (std::size_t i = 0; i + order <= words.size(); ++i) {
      const auto last = numbers_[i + order - 1];
      if (begun_[i] == kNone || last == kNone) {
        begun_[i] = kNone;
        continue;
      }
      const auto ngram = begun_[i] = *find_ngram(std::uint64_t{begun_[i]} << 32 | last);
      if (ngram == kNone) continue;
      any = true;
      if (see(ngram) <= ngrams_[ngram].most) ++matches[order - 1];
    }
  }
}

}  // namespace awend::metrics
