// Writing and checking the bytes of a corpus cache; see data/corpus_cache.hpp for the format.
// Test: tests/unit/data/corpus_cache_test.cpp, tests/fuzz/corpus_cache_test.cpp.
#pragma once

#include <memory_resource>
#include <optional>
#include <span>
#include <string>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/spill.hpp"
#include "data/corpus.hpp"
#include "data/fingerprint.hpp"
#include "data/pairs_view.hpp"

namespace awend::data {

/// The state of a regular file.
struct FileIdentity {
  std::uint64_t inode = 0, bytes = 0;
  std::uint64_t modified_ns = 0, changed_ns = 0;

  bool operator==(const FileIdentity&) const = default;
};

/// Nothing for standard input and pipes, which have no identity.  Error if the file does not
/// exist.
std::optional<FileIdentity> identity_of(const std::string& path);

/// The inputs of a cache.
struct CacheKey {
  FileIdentity source = {}, target = {}, alignments = {};  // zeros for pipes
  std::uint64_t vocabulary = 0;
  std::uint64_t longest_tokens = 0;

  bool operator==(const CacheKey&) const = default;
};

/// The last bytes of a cache.
struct CacheTail {
  CacheKey key;
  std::uint64_t id_bytes = 0;  // 2 or 4
  std::uint64_t sides = 0;     // 2: source and target; 3: with alignments
  std::uint64_t pairs = 0, ids = 0;
  std::uint64_t lines = 0, empty_pairs = 0, long_pairs = 0;
  SideCounts source = {}, target = {};
  std::uint64_t first_unknown_bytes = 0;
  std::uint64_t fingerprint = 0;
  std::uint64_t checksum = 0;  // of all bytes before it; the last number of the file
};

/// The parts of a cache in memory.
struct CacheParts {
  CacheTail tail;
  IdSpan ids;
  std::span<const std::uint64_t> begins;  // (sides · pairs + 1)
  std::string_view first_unknown;
};

/// Thrown by parse_cache() for a cache of another version of this format.
class OtherCacheVersion : public base::Error {
 public:
  using Error::Error;
};

/// The parts of a file.  Throws Error, without the name of the file, if the bytes are not a
/// complete cache of this version.  Ids are not checked here, but by SideView when they are used.
CacheParts parse_cache(std::span<const std::byte> bytes);

/// Throws Error, without the name of the file, unless the bytes match their checksum.  Requires:
/// bytes that parse_cache() accepts, mapped from a file; the memory is released part by part.
void verify_cache(std::span<const std::byte> bytes);

struct CacheShape {
  std::uint64_t id_bytes;
  std::uint64_t sides = 2;
};

/// Writes a cache pair by pair.
class CacheWriter {
 public:
  /// The lengths of the sentences are stored until the end: in memory, and beyond 256 MiB in a file
  /// in `directory`.
  CacheWriter(const std::string& path, const std::string& directory, const CacheKey& key,
              const CacheShape& shape);
  void add(const EncodedPairs& pairs);
  /// Writes the rest, and renames the file to its name.
  void commit(const CorpusCounts& counts);

 private:
  void write(std::string_view bytes);
  void pad(std::uint64_t bytes_before);
  void write_begins();

  base::OutputFile out_;
  base::Checksum checksum_;
  base::SpillResource memory_;
  std::pmr::vector<std::uint32_t> lengths_{&memory_};
  Fingerprint fingerprint_;
  CacheTail tail_;
};

}  // namespace awend::data
