// How many n-grams a line shares with its references, each counted at most as often as the
// reference richest in it.
//
// The words of the references get numbers, and an n-gram is the number of its first n - 1 words
// with one more word: two numbers, one key, no hashing of long texts and no collision.  Everything
// else in the line matches nothing.  Test: tests/unit/metrics/bleu_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/words.hpp"

namespace awend::metrics {

/// One a thread; its memory is kept from segment to segment.
class NgramMatches {
 public:
  explicit NgramMatches(std::size_t max_order) : max_order_(max_order) {}

  /// The references of the lines that follow; their words must live as long.
  void set_references(std::span<const Words> references);

  /// Writes the matches of n = 1, 2, ..., max_order.
  void count(std::span<const std::string_view> words, std::span<std::int64_t> matches);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{};

  struct Ngram {
    std::uint64_t key;   // of its first words, and of its last word
    std::uint32_t most;  // in one reference
    std::uint32_t seen;  // in the line of that number
    std::uint32_t line;
  };

  // An open table of places in a list: a power of two of slots, at most half of them taken.
  struct Slots {
    std::vector<std::uint32_t> slots;
    std::uint64_t mask = 0;
    void reset(std::size_t entries);
  };

  std::uint32_t* find_word(std::string_view word);
  std::uint32_t* find_ngram(std::uint64_t key);
  std::uint32_t see(std::uint32_t ngram);
  std::uint32_t number_of(std::string_view word);
  void add_reference(std::span<const std::uint32_t> numbers);

  std::size_t max_order_;
  std::vector<std::string_view> words_;  // by number
  std::vector<Ngram> ngrams_;            // those of one word first, so that they have its number
  Slots word_slots_, ngram_slots_;
  std::uint32_t line_ = 0;
  std::vector<std::uint32_t> numbers_, begun_;  // of the words, and of the n-grams from there
};

}  // namespace awend::metrics
