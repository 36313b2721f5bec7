// Counts of the words of a text.  Memory grows with the number of different words, not with the
// text, and continues in temporary files when a budget is exceeded.
//
// Test: tests/unit/text/learn/word_counts_test.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/spill.hpp"
#include "text/learn/partitioned_counts.hpp"
#include "text/normalize.hpp"
#include "text/vocabulary.hpp"
#include "text/words.hpp"

namespace awend::text {

class TrainingWords;

struct WordCount {
  std::string_view word;  // as split by WordBreaker, including a leading space
  std::uint64_t count;
};

/// Different words, in no particular order.  Owns their bytes.
class WordList {
 public:
  explicit WordList(std::pmr::memory_resource* memory) : words_(memory) {}

  /// Not thread-safe.
  void add(CountTable table);
  std::span<const WordCount> words() const { return words_; }

 private:
  std::deque<CountTable> tables_;
  std::pmr::vector<WordCount> words_;
};

enum class WordRule {
  kUnicode,  // the words of WordBreaker, after normalization
  kSpaces,   // the text between spaces, unchanged (subword-nmt)
  kBert,     // the words of BertWords, each after a space
  kPieces,   // those from which SentencePiece learns
};

struct CountSettings {
  WordRule rule = WordRule::kUnicode;
  BertRules bert_rules = BertRules::kGoogle;  // of kBert
  TextForm form = {};
  std::vector<std::string> symbols = {};  // separate words, with kUnicode
  const TrainingWords* pieces = nullptr;  // with kPieces; must outlive the counter
  unsigned threads = 1;
  std::size_t memory_bytes = std::numeric_limits<std::size_t>::max();
  std::string directory = base::temporary_directory();
};

class WordCounter {
 public:
  explicit WordCounter(const CountSettings& settings);
  ~WordCounter();

  /// Counts the words of raw lines.  Each worker, counted from 0, is used by one thread at a time.
  void add(unsigned worker, std::string_view line);
  /// Must be called every few thousand lines to keep the budget.
  void spill_if_large(unsigned worker);
  bool has_spilled() const;

  /// Merges the counts of the workers.  Must be the last call.  The words are stored in `memory`.
  WordList finish(std::pmr::memory_resource* memory = std::pmr::get_default_resource());

 private:
  struct Worker;
  void cut_chunks(std::size_t partition, Worker& worker);

  const CountSettings settings_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace awend::text
