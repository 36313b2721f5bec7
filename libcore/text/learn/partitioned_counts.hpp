// Counts that go on in a temporary file when memory is short.
//
// Texts are spread over partitions by their hash.  Past the budget all tables are written out and
// begin anew; at the end the counts of one partition are brought together after those of another,
// and only one of them need be in memory at a time.
// Test: tests/unit/text/word_counts_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "text/learn/count_table.hpp"

namespace awend::text {

/// One a thread.
class PartitionedCounts {
 public:
  static constexpr std::size_t kPartitions = 64;

  /// The file stands in `folder`, without a name.
  PartitionedCounts(std::size_t budget_bytes, std::string folder)
      : budget_bytes_(budget_bytes), folder_(std::move(folder)) {}

  void add(std::string_view text, std::uint64_t count) {
    const std::uint64_t hash = text_hash(text);
    tables_[hash >> 58].add(text, hash, count);
  }
  /// Adds 1 for each of `texts`.  Memory is asked for all of them before the first is waited for.
  void add_all(std::span<const std::string_view> texts);

  /// To be called now and then: writes everything out where the budget is used up.
  void spill_if_large();
  void spill();
  bool has_spilled() const { return file_.get() >= 0; }

  /// Adds what was counted in a partition to `counts`, and forgets it.
  void move_to(std::size_t partition, CountTable& counts);

 private:
  // Where the counts of a partition lie in the file.
  struct Run {
    std::uint64_t begin, size_bytes;
  };

  void write(const std::string& bytes);
  void add_run(const Run& run, CountTable& counts) const;

  const std::size_t budget_bytes_;
  const std::string folder_;
  std::array<CountTable, kPartitions> tables_;
  std::vector<std::uint64_t> hashes_;  // of add_all
  std::array<std::vector<Run>, kPartitions> runs_;
  base::Descriptor file_;
  std::uint64_t file_bytes_ = 0;
};

}  // namespace awend::text
