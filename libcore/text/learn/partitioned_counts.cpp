#include "text/learn/partitioned_counts.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/spill.hpp"

namespace awend::text {
namespace {

static_assert(PartitionedCounts::kPartitions == 1 << (64 - 58), "six bits of the hash choose");

// In the file, each text follows its count and its length.
struct RecordHead {
  std::uint64_t count, size_bytes;
};

}  // namespace

void PartitionedCounts::add_all(std::span<const std::string_view> texts) {
  hashes_.clear();
  for (const std::string_view text : texts) {
    hashes_.push_back(text_hash(text));
    tables_[hashes_.back() >> 58].prefetch(hashes_.back());
  }
  for (const std::uint64_t hash : hashes_) tables_[hash >> 58].prefetch_text(hash);
  for (std::size_t i = 0; i < texts.size(); ++i)
    tables_[hashes_[i] >> 58].add(texts[i], hashes_[i], 1);
}

void PartitionedCounts::spill_if_large() {
  std::size_t bytes = 0;
  for (const CountTable& table : tables_) bytes += table.memory_bytes();
  if (bytes > budget_bytes_) spill();
}

void PartitionedCounts::spill() {
  if (!has_spilled()) file_ = base::Descriptor(base::open_unnamed_file(directory_));
  for (std::size_t partition = 0; partition < kPartitions; ++partition) {
    std::string bytes;
    tables_[partition].for_each([&](std::string_view text, std::uint64_t, std::uint64_t count) {
      const RecordHead head = {count, text.size()};
      bytes.append(reinterpret_cast<const char*>(&head), sizeof head).append(text);
    });
    tables_[partition].clear();
    if (bytes.empty()) continue;
    runs_[partition].push_back({file_bytes_, bytes.size()});
    write(bytes);
  }
}

void PartitionedCounts::write(const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const auto count = ::pwrite(file_.get(), bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(file_bytes_ + done));
    if (count < 0) {
      if (errno == EINTR) continue;
      base::fail_errno(directory_, errno);
    }
    done += static_cast<std::size_t>(count);
  }
  file_bytes_ += bytes.size();
}

void PartitionedCounts::add_run(const Run& run, CountTable& counts) const {
  std::string bytes(run.size_bytes, '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const auto count = ::pread(file_.get(), bytes.data() + done, bytes.size() - done,
                               static_cast<off_t>(run.begin + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) base::fail_errno(directory_, count < 0 ? errno : EIO);
    done += static_cast<std::size_t>(count);
  }
  for (std::size_t position = 0; position < bytes.size();) {
    RecordHead head;
    std::memcpy(&head, bytes.data() + position, sizeof head);
    position += sizeof head;
    counts.add(std::string_view(bytes).substr(position, head.size_bytes), head.count);
    position += head.size_bytes;
  }
}

void PartitionedCounts::move_to(std::size_t partition, CountTable& counts) {
  for (const Run& run : runs_[partition]) add_run(run, counts);
  runs_[partition].clear();
  tables_[partition].for_each([&](std::string_view text, std::uint64_t hash, std::uint64_t count) {
    counts.add(text, hash, count);
  });
  tables_[partition].clear();
}

}  // namespace awend::text
