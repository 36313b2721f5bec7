#include "text/learn/word_counts.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/parallel.hpp"
#include "text/bert/words.hpp"
#include "text/sentencepiece/training_words.hpp"
#include "text/spaced_words.hpp"
#include "text/symbol_splitter.hpp"

namespace awend::text {
namespace {

// Longer chunks are split immediately: in Chinese, a chunk is a sentence, which rarely repeats.
constexpr std::size_t kShortChunkBytes = 32;

// Calls visit(worker, partition) for each partition, on the threads of the workers.
template <class Visit>
void for_each_partition(unsigned threads, const Visit& visit) {
  std::atomic<std::size_t> next = 0;
  base::run_on_threads(threads, [&](unsigned worker) {
    for (std::size_t partition; (partition = next++) < PartitionedCounts::kPartitions;)
      visit(worker, partition);
  });
}

}  // namespace

void WordList::add(CountTable table) {
  tables_.push_back(std::move(table));
  tables_.back().for_each([&](std::string_view word, std::uint64_t, std::uint64_t count) {
    words_.push_back({word, count});
  });
}

struct WordCounter::Worker {
  explicit Worker(const CountSettings& settings)
      : normalizer(settings.form),
        symbols(settings.symbols),
        bert(settings.form.letter_case, settings.bert_rules),
        pieces(settings.pieces),
        chunks(settings.memory_bytes / settings.threads / 2, settings.directory),
        words(settings.memory_bytes / settings.threads / 2, settings.directory) {}

  void cut(std::string_view chunk, std::uint64_t count) {
    if (pieces != nullptr) {
      return pieces->for_each(chunk, text, [&](std::string_view word) { words.add(word, count); });
    }
    text.assign(1, ' ').append(chunk);
    symbols.split(text, [&](std::string_view part, std::optional<std::size_t> symbol) {
      if (symbol) return words.add(part, count);
      breaker.cut(part, cut_words);
      for (const std::string_view word : cut_words) words.add(word, count);
    });
  }

  void add_pieces(std::string_view line) {
    if (TrainingWords::is_ignored(line)) return;
    if (!pieces->can_split(line)) return cut(line, 1);
    fields.clear();
    for_each_word(line, [&](std::string_view chunk) {
      if (chunk.size() <= kShortChunkBytes)
        fields.push_back(chunk);
      else
        cut(chunk, 1);
    });
    chunks.add_all(fields);
  }

  Normalizer normalizer;
  SymbolSplitter symbols;
  WordBreaker breaker;
  BertWords bert;
  const TrainingWords* pieces;
  PartitionedCounts chunks;  // short chunks without their space, split into words once
  PartitionedCounts words;
  std::string text;
  std::vector<std::string_view> cut_words, fields;
};

WordCounter::WordCounter(const CountSettings& settings) : settings_(settings) {
  for (unsigned i = 0; i < settings.threads; ++i)
    workers_.push_back(std::make_unique<Worker>(settings_));
}

WordCounter::~WordCounter() = default;

void WordCounter::add(unsigned number, std::string_view line) {
  Worker& worker = *workers_[number];
  if (settings_.rule == WordRule::kSpaces) {
    worker.fields.clear();
    for_each_word(trim(line).words, [&](std::string_view word) { worker.fields.push_back(word); });
    return worker.words.add_all(worker.fields);
  }
  if (settings_.rule == WordRule::kBert) {
    for (const std::string_view word : worker.bert.split(line)) {
      if (!is_too_long_for_bert(word, settings_.bert_rules))
        worker.words.add(worker.text.assign(1, ' ').append(word), 1);
    }
    return;
  }
  if (settings_.rule == WordRule::kPieces) return worker.add_pieces(line);
  const std::string_view text = worker.normalizer.apply(line);
  if (text.empty()) return;
  worker.fields.clear();
  for_each_field(text, [&](std::string_view chunk) {
    if (chunk.size() <= kShortChunkBytes) {
      worker.fields.push_back(chunk);
    } else {
      worker.cut(chunk, 1);
    }
  });
  worker.chunks.add_all(worker.fields);
}

void WordCounter::spill_if_large(unsigned number) {
  workers_[number]->chunks.spill_if_large();
  workers_[number]->words.spill_if_large();
}

bool WordCounter::has_spilled() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const auto& worker) {
    return worker->chunks.has_spilled() || worker->words.has_spilled();
  });
}

void WordCounter::cut_chunks(std::size_t partition, Worker& worker) {
  CountTable chunks;
  for (const auto& other : workers_) other->chunks.move_to(partition, chunks);
  chunks.for_each([&](std::string_view chunk, std::uint64_t, std::uint64_t count) {
    worker.cut(chunk, count);
  });
  worker.words.spill_if_large();
}

WordList WordCounter::finish(std::pmr::memory_resource* memory) {
  for (const auto& worker : workers_) {
    if (worker->chunks.has_spilled()) worker->chunks.spill();
  }
  for_each_partition(settings_.threads, [&](unsigned worker, std::size_t partition) {
    cut_chunks(partition, *workers_[worker]);
  });
  WordList list(memory);
  std::mutex mutex;
  for_each_partition(settings_.threads, [&](unsigned, std::size_t partition) {
    CountTable words(memory);
    for (const auto& worker : workers_) worker->words.move_to(partition, words);
    const std::lock_guard lock(mutex);
    list.add(std::move(words));
  });
  return list;
}

}  // namespace awend::text
