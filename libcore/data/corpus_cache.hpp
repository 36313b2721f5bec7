// A corpus as ids in a mapped file, so that a corpus of any size is encoded once and takes no
// memory of the process.
//
//   "awend corpus 2\n\0" | ids | begins | first unknown piece | tail
//
// Ids are 16 bits wide if the vocabulary has at most 2^16 pieces, else 32: those of pair 0's
// source, of its target, of pair 1's source, and so on.  Begins are 64 bits wide: where each of
// these sentences begins among the ids, and where the last ends.  The tail says what the cache was
// made of, and what was counted, and ends with a checksum of all bytes before it.  Numbers are in
// the byte order of the machine: a cache is not for sending.  Every part begins at a multiple of 8.
//
// A cache belongs to two files as they were (size, inode, times of modification and of change: the
// last is set by the system at every write and cannot be set back), one vocabulary and one longest
// sentence.  What no longer fits is made anew, beside its place and renamed, so that processes that
// share a folder never see half a cache, and one that is read stays as long as it is mapped.  Pipes
// can be read only once: their cache loses its name as soon as it is mapped.
//
// The checksum of a cache that is used again is verified first, so that training never uses damaged
// ids; a damaged cache is rebuilt from its text.
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
  /// The cache of `files` in `folder`, which is made if it is not there or does not fit.  Throws
  /// what encode_corpus does; then nothing is left behind, and settings.judge has the word before
  /// a cache is put in its place.
  static CorpusCache of(const CorpusFiles& files, const EncodeSettings& settings,
                        const std::string& folder);

  /// Removes what processes that were killed have left in `folder` of caches that they wrote.
  static void remove_abandoned(const std::string& folder);

  /// Valid while the cache, or what it is moved to, lives.
  CorpusView view(double weight) const;
  const CorpusCounts& counts() const { return counts_; }
  /// As data/fingerprint.hpp has it, of the pairs that the cache holds.
  std::uint64_t fingerprint() const { return parts_.tail.fingerprint; }
  /// What was done and why, in words, for a note.
  const std::string& story() const { return story_; }
  /// Names the file if a damaged cache was found and rebuilt; empty otherwise.
  const std::string& warning() const { return warning_; }

 private:
  /// Throws Error naming the file if it is not a whole cache.
  CorpusCache(const std::string& path, std::uint32_t vocabulary_size);
  /// Why a cache is rebuilt.  Both are empty where there is none.
  struct Refusal {
    std::string reason;
    std::string damage;  // begins with the path
  };
  /// The cache at `path` if it fits and is whole; otherwise the refusal is set.
  static std::optional<CorpusCache> existing(const std::string& path, const CacheKey& key,
                                             std::uint32_t vocabulary_size, Refusal& refusal);

  base::MappedFile file_;
  CacheParts parts_;  // of the file
  CorpusCounts counts_;
  std::uint32_t vocabulary_size_;
  std::string story_, warning_;
};

}  // namespace awend::data
