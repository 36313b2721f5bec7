// Counts that continue in a temporary file when memory is short.
//
// Texts are distributed over partitions by their hash.  When the budget is exceeded, all tables
// are written to the file and cleared.  At the end, the counts are merged partition by partition,
// so that only one partition must be in memory.
//
// Test: tests/unit/text/learn/word_counts_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "text/learn/count_table.hpp"

namespace awend::text {

/// Each thread has its own.
class PartitionedCounts {
 public:
  static constexpr std::size_t kPartitions = 64;

  /// The file is unnamed, in `directory`.
  PartitionedCounts(std::size_t budget_bytes, std::string directory)
      : budget_bytes_(budget_bytes), directory_(std::move(directory)) {}

  void add(std::string_view text, std::uint64_t count) {
    const std::uint64_t hash = text_hash(text);
    tables_[hash >> 58].add(text, hash, count);
  }
  /// Adds 1 for each of `texts`, with memory prefetching.
  void add_all(std::span<const std::string_view> texts);

  /// Must be called regularly: writes everything to the file if the budget is exceeded.
  void spill_if_large();
  void spill();
  bool has_spilled() const { return file_.get() >= 0; }

  /// Adds the counts of a partition to `counts`, and clears them.
  void move_to(std::size_t partition, CountTable& counts);

 private:
  // The position of the counts of a partition in the file.
  struct Run {
    std::uint64_t begin, size_bytes;
  };

  void write(const std::string& bytes);
  void add_run(const Run& run, CountTable& counts) const;

  const std::size_t budget_bytes_;
  const std::string directory_;
  std::array<CountTable, kPartitions> tables_;
  std::vector<std::uint64_t> hashes_;  // for add_all
  std::array<std::vector<Run>, kPartitions> runs_;
  base::Descriptor file_;
  std::uint64_t file_bytes_ = 0;
};

}  // namespace awend::text
