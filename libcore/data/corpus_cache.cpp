#include "data/corpus_cache.hpp"

#include <filesystem>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/temporary_file.hpp"
#include "data/cache_format.hpp"

namespace awend::data {
namespace {

constexpr std::uint32_t kMaxShortIds = 1U << 16;
const std::string kCorpusPrefix = "corpus-", kPipePrefix = "pipe-";
constexpr std::size_t kHashDigits = 16;

std::uint64_t hash_of(std::string_view bytes) {
  Fingerprint hash;
  for (const char byte : bytes) hash.add(static_cast<unsigned char>(byte));
  return hash.value();
}

/// The settings, other than the vocabulary, that determine the ids; empty for pairs.
std::string labeling_text(const Labeling& labeling) {
  if (labeling.kind == CorpusKind::kPairs) return {};
  auto text = base::concat(static_cast<int>(labeling.kind), ' ', labeling.separator);
  if (labeling.separators != 1) text += base::concat(" x", labeling.separators);
  for (const auto& label : labeling.labels) text += ' ' + label;
  return text;
}

/// Files may change under their name; another vocabulary or length uses another cache, so that runs
/// that share a directory do not replace each other's cache.
std::string name_of(const CorpusFiles& files, const CacheKey& key) {
  const auto absolute = [](const std::string& path) {
    if (path.empty()) return path;
    return std::filesystem::absolute(path).lexically_normal().string();
  };
  Fingerprint hash;
  hash.add(hash_of(absolute(files.source)));
  hash.add(hash_of(absolute(files.target)));
  if (!files.alignments.empty()) hash.add(hash_of(absolute(files.alignments)));
  hash.add(key.vocabulary);
  hash.add(key.longest_tokens);
  return kCorpusPrefix + base::hex(hash.value());
}

/// One more than the largest id.
std::uint32_t id_count(const EncodeSettings& settings) {
  const auto& [source, target] = settings.vocabularies;
  const bool has_numbers = settings.labeling.kind == CorpusKind::kSpans;
  return std::max({source.size(), target.size(), has_numbers ? settings.longest_tokens : 0});
}

/// With `rules`, by which the lines are read.
std::uint64_t hash_of(const text::Vocabularies& vocabularies, const std::string& rules) {
  const auto target = vocabularies.target.serialize();
  if (&vocabularies.source == &vocabularies.target) return hash_of(target + rules);
  return hash_of(target + vocabularies.source.serialize() + rules);
}

void write(const std::string& path, const CorpusFiles& files, const EncodeSettings& settings,
           const CacheKey& key) {
  const std::uint64_t id_bytes = id_count(settings) <= kMaxShortIds ? 2 : 4;
  CacheWriter writer(path, std::filesystem::path(path).parent_path(), key,
                     {.id_bytes = id_bytes, .sides = files.alignments.empty() ? 2U : 3U});
  writer.commit(
      encode_corpus(files, settings, [&](const EncodedPairs& pairs) { writer.add(pairs); }));
}

std::string what_differs(const CacheKey& then, const CacheKey& now) {
  if (then.source != now.source) return "the source has changed";
  if (then.target != now.target) return "the target has changed";
  if (then.alignments != now.alignments) return "the alignment has changed";
  if (then != now) return "its vocabulary or longest sentence was another";
  return "";
}

/// The message with the name of the file, unless it begins with it: the file itself may be missing.
std::string with_name(const std::string& path, const base::Error& error) {
  const std::string_view what = error.what();
  return what.starts_with(path) ? std::string(what) : base::concat(path, ": ", what);
}

}  // namespace

CorpusCache::CorpusCache(const std::string& path, std::uint32_t vocabulary_size) try
    : file_(path), parts_(parse_cache(file_.bytes())), vocabulary_size_(vocabulary_size) {
  base::forget_mapped(file_.bytes());
  const auto& tail = parts_.tail;
  counts_ = {.lines = tail.lines,
             .empty_pairs = tail.empty_pairs,
             .long_pairs = tail.long_pairs,
             .source = tail.source,
             .target = tail.target,
             .first_unknown = std::string(parts_.first_unknown)};
} catch (const OtherCacheVersion&) {
  throw;
} catch (const base::Error& error) {
  base::fail(with_name(path, error));
}

std::optional<CorpusCache> CorpusCache::existing(const std::string& path, const CacheKey& key,
                                                 std::uint32_t vocabulary_size,
                                                 Refusal& refusal) try {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  CorpusCache cache(path, vocabulary_size);
  refusal.reason = what_differs(cache.parts_.tail.key, key);
  if (!refusal.reason.empty()) return std::nullopt;
  verify_cache(cache.file_.bytes());
  return cache;
} catch (const OtherCacheVersion& error) {
  refusal.reason = error.what();
  return std::nullopt;
} catch (const base::Error& error) {
  refusal = {.reason = "it was damaged", .damage = with_name(path, error)};
  return std::nullopt;
}

CorpusCache CorpusCache::of(const CorpusFiles& files, const EncodeSettings& settings,
                            const std::string& directory) {
  // Read before the contents: a file that changes meanwhile does not match the next time.
  const auto identity = [](const std::string& path) {
    return path.empty() ? std::optional(FileIdentity{}) : identity_of(path);
  };
  const auto source = identity_of(files.source);
  const auto target = identity(files.target), alignments = identity(files.alignments);
  const auto rules = settings.pair_check ? settings.pair_check->name : std::string();
  const CacheKey key{
      .source = source.value_or(FileIdentity{}),
      .target = target.value_or(FileIdentity{}),
      .alignments = alignments.value_or(FileIdentity{}),
      .vocabulary = hash_of(settings.vocabularies, rules + labeling_text(settings.labeling)),
      .longest_tokens = settings.longest_tokens};
  const bool stays = source && target && alignments;
  const auto name = stays ? name_of(files, key) : kPipePrefix + base::random_suffix();
  const auto path = (std::filesystem::path(directory) / name).string();
  const auto vocabulary_size = id_count(settings);

  Refusal refusal;
  if (stays) {
    if (auto cache = existing(path, key, vocabulary_size, refusal)) {
      if (settings.judge) settings.judge(cache->counts());
      cache->story_ = path + ": used again";
      return std::move(*cache);
    }
  }
  write(path, files, settings, key);
  CorpusCache cache(path, vocabulary_size);
  if (!stays) std::filesystem::remove(path);
  if (cache.parts_.tail.key != key) base::fail(path, ": another run changes it at the same time");
  cache.story_ = path + (refusal.reason.empty() ? ": made" : ": rebuilt, " + refusal.reason);
  if (!refusal.damage.empty()) cache.warning_ = refusal.damage + "; it was rebuilt from its text";
  return cache;
}

void CorpusCache::remove_abandoned(const std::string& directory) {
  base::remove_abandoned(directory, [](std::string_view name) {
    const auto is = [&](const std::string& prefix, std::size_t length) {
      return name.starts_with(prefix) && name.size() == prefix.size() + length;
    };
    return is(kCorpusPrefix, kHashDigits) || is(kPipePrefix, base::kRandomSuffixLength);
  });
}

CorpusView CorpusCache::view(double weight) const {
  const auto& tail = parts_.tail;
  const auto side = [&](std::size_t first, std::uint32_t ids) {
    return SideView({.ids = parts_.ids,
                     .begins = parts_.begins.data() + first,
                     .stride = tail.sides,
                     .vocabulary_size = ids,
                     .file = file_.path()});
  };
  return {.source = side(0, vocabulary_size_),
          .target = side(1, vocabulary_size_),
          .alignments = tail.sides == 3 ? std::optional(side(2, kLongestSentence)) : std::nullopt,
          .size = tail.pairs,
          .weight = weight,
          .mapped = file_.bytes()};
}

}  // namespace awend::data
