#include "data/corpus_cache.hpp"

#include <unistd.h>

#include <filesystem>

#include "base/error.hpp"
#include "data/cache_format.hpp"

namespace awend::data {
namespace {

constexpr std::uint32_t kMostShortIds = 1U << 16;

std::uint64_t hash_of(std::string_view bytes) {
  Fingerprint hash;
  for (const char byte : bytes) hash.add(static_cast<unsigned char>(byte));
  return hash.value();
}

/// Files may change under their name; another vocabulary or length is another cache, so that runs
/// that share a folder do not take it from each other.
std::string name_of(const CorpusFiles& files, const CacheKey& key) {
  const auto absolute = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal().string();
  };
  Fingerprint hash;
  hash.add(hash_of(absolute(files.source)));
  hash.add(hash_of(absolute(files.target)));
  hash.add(key.vocabulary);
  hash.add(key.longest_tokens);
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) {
    digits += "0123456789abcdef"[hash.value() >> shift & 15];
  }
  return "corpus-" + digits;
}

void write(const std::string& path, const CorpusFiles& files, const EncodeSettings& settings,
           const CacheKey& key) {
  const std::uint64_t id_bytes = settings.vocabulary.size() <= kMostShortIds ? 2 : 4;
  CacheWriter writer(path, std::filesystem::path(path).parent_path(), key, id_bytes);
  writer.commit(
      encode_corpus(files, settings, [&](const EncodedPairs& pairs) { writer.add(pairs); }));
}

std::string what_differs(const CacheKey& then, const CacheKey& now) {
  if (then.source != now.source) return "the source has changed";
  if (then.target != now.target) return "the target has changed";
  if (then != now) return "its vocabulary or longest sentence was another";
  return "";
}

}  // namespace

CorpusCache::CorpusCache(const std::string& path, std::uint32_t vocabulary_size) try
    : file_(path), parts_(parse_cache(file_.bytes())), vocabulary_size_(vocabulary_size) {
  base::forget_mapped(file_.bytes());
  const auto& tail = parts_.tail;
  counts_ = {.lines = tail.lines,
             .empty_pairs = tail.empty_pairs,
             .long_pairs = tail.long_pairs,
             .pieces = tail.pieces,
             .unknown_pieces = tail.unknown_pieces,
             .first_unknown = std::string(parts_.first_unknown)};
} catch (const base::Error& error) {
  // The file itself may be what is missing, and then it is named already.
  const std::string_view what = error.what();
  base::fail(what.starts_with(path) ? "" : path + ": ", what);
}

std::optional<CorpusCache> CorpusCache::existing(const std::string& path, const CacheKey& key,
                                                 std::uint32_t vocabulary_size,
                                                 std::string& why_not) try {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  CorpusCache cache(path, vocabulary_size);
  why_not = what_differs(cache.parts_.tail.key, key);
  if (!why_not.empty()) return std::nullopt;
  return cache;
} catch (const base::Error& error) {
  why_not = error.what();
  return std::nullopt;
}

CorpusCache CorpusCache::of(const CorpusFiles& files, const EncodeSettings& settings,
                            const std::string& folder) {
  // Looked at before they are read: a file that changes meanwhile does not fit the next time.
  const auto source = identity_of(files.source), target = identity_of(files.target);
  const CacheKey key{.source = source.value_or(FileIdentity{}),
                     .target = target.value_or(FileIdentity{}),
                     .vocabulary = hash_of(settings.vocabulary.serialize()),
                     .longest_tokens = settings.longest_tokens};
  const bool stays = source && target;
  const auto name = stays ? name_of(files, key) : base::concat("pipe-", ::getpid());
  const auto path = (std::filesystem::path(folder) / name).string();
  const auto vocabulary_size = settings.vocabulary.size();

  std::string why_not;
  if (stays) {
    if (auto cache = existing(path, key, vocabulary_size, why_not)) {
      if (settings.judge) settings.judge(cache->counts());
      cache->story_ = path + ": used again";
      return std::move(*cache);
    }
  }
  write(path, files, settings, key);
  CorpusCache cache(path, vocabulary_size);
  if (!stays) std::filesystem::remove(path);
  if (cache.parts_.tail.key != key) base::fail(path, ": another run changes it at the same time");
  cache.story_ = path + (why_not.empty() ? ": made" : ": made anew, " + why_not);
  return cache;
}

CorpusView CorpusCache::view(double weight) const {
  const auto side = [&](std::size_t first) {
    return SideView({.ids = parts_.ids,
                     .begins = parts_.begins.data() + first,
                     .stride = 2,
                     .vocabulary_size = vocabulary_size_});
  };
  return {.source = side(0),
          .target = side(1),
          .size = parts_.tail.pairs,
          .weight = weight,
          .mapped = file_.bytes()};
}

}  // namespace awend::data
