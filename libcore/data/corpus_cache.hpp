// A corpus as ids in a mapped file, so that a corpus of any size is encoded once and uses no memory
// of the process.
//
//   "awend corpus 4\n\0" | ids | begins | first unknown piece | tail
//
// Ids have 16 bits if the vocabulary has at most 2^16 pieces, otherwise 32: those of the source of
// pair 0, of its target, of the source of pair 1, and so on.  A corpus with word alignments has the
// numbers of the linked tokens after each target.  Begins have 64 bits: the position of each of
// these in the ids, and the end of the last.  Running text has empty targets.  The tail describes
// the inputs of the cache and the counts, and ends in a checksum of all bytes before
// it.  Numbers are in the byte order of the machine: a cache is not portable.  Every part begins at
// a multiple of 8.
//
// A cache belongs to the state of its files (size, inode, times of modification and of change; the
// latter is set by the system at every write and cannot be reset), one vocabulary and one maximum
// length.  A cache that does not match is rebuilt next to the old one and renamed, so that
// processes that share a directory never see a partial cache, and a cache in use remains as long as
// it is mapped.  Pipes can be read only once: the name of their cache is removed after mapping.
//
// The checksum of a reused cache is verified first, so that training never uses damaged ids; a
// damaged cache is rebuilt from its text.
//
// Test: tests/unit/data/corpus_cache_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "base/mapped_file.hpp"
#include "data/cache_format.hpp"
#include "data/corpus.hpp"
#include "data/pairs_view.hpp"

namespace awend::data {

class CorpusCache {
 public:
  /// The cache of `files` in `directory`, created if it is missing or does not match.  Throws the
  /// errors of encode_corpus; then no file remains, and settings.judge is called before a cache is
  /// renamed to its name.
  static CorpusCache of(const CorpusFiles& files, const EncodeSettings& settings,
                        const std::string& directory);

  /// Removes the unfinished caches of killed processes in `directory`.
  static void remove_abandoned(const std::string& directory);

  /// Valid while the cache exists, including after it is moved.
  CorpusView view(double weight) const;
  const CorpusCounts& counts() const { return counts_; }
  /// The fingerprint of the pairs in the cache (see data/fingerprint.hpp).
  std::uint64_t fingerprint() const { return parts_.tail.fingerprint; }
  /// A description of what was done and why.
  const std::string& story() const { return story_; }
  /// Names the file if a damaged cache was found and rebuilt; empty otherwise.
  const std::string& warning() const { return warning_; }

 private:
  /// Throws Error naming the file if it is not a complete cache.
  CorpusCache(const std::string& path, std::uint32_t vocabulary_size);
  /// The reason for rebuilding a cache.  Both are empty if there is no cache.
  struct Refusal {
    std::string reason;
    std::string damage;  // begins with the path
  };
  /// The cache at `path` if it matches and is complete; otherwise sets the refusal.
  static std::optional<CorpusCache> existing(const std::string& path, const CacheKey& key,
                                             std::uint32_t vocabulary_size, Refusal& refusal);

  base::MappedFile file_;
  CacheParts parts_;  // of the file
  CorpusCounts counts_;
  std::uint32_t vocabulary_size_;
  std::string story_, warning_;
};

}  // namespace awend::data
