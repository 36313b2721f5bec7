// Caches of corpora: their contents, when they are rebuilt, and which files remain.
#include "data/corpus_cache.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/error.hpp"
#include "base/random.hpp"
#include "data/batch.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/data/small_vocabulary.hpp"

namespace awend::data {
namespace {

namespace fs = std::filesystem;
using tests::message_of;
using tests::Scratch;

/// Two files and a directory for their cache.
struct Stage {
  Scratch scratch;
  CorpusFiles files{scratch.write("source", "a b\n\nc\na c d\nb\n"),
                    scratch.write("target", "b\na\na a\nc\na a a a a\n")};
  std::string directory = scratch.path("cache");

  Stage() { fs::create_directory(directory); }

  CorpusCache cache(EncodeSettings settings = {.vocabularies = small(),
                                               .longest_tokens = 5}) const {
    return CorpusCache::of(files, settings, directory);
  }

  std::vector<std::string> kept() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory)) names.push_back(entry.path());
    return names;
  }
};

bool ends_with(const CorpusCache& cache, std::string_view end) {
  return cache.story().ends_with(end);
}

void check_same(const CorpusCache& cache, const Corpus& corpus) {
  const PairsView view({cache.view(1)}, corpus.pairs.end_of_sentence);
  REQUIRE(view.size() == corpus.pairs.size());
  batch::PackedBatch from_cache, from_memory;
  std::vector<std::uint32_t> all(view.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  pack_batch(view, all, from_cache);
  pack_batch(corpus.pairs, all, from_memory);
  CHECK(from_cache.source.ids == from_memory.source.ids);
  CHECK(from_cache.output_ids == from_memory.output_ids);
  CHECK(from_cache.source.begins == from_memory.source.begins);
  CHECK(cache.fingerprint() == fingerprint(corpus.pairs));
  CHECK(cache.fingerprint() == fingerprint(view));
}

TEST_CASE("a cache holds what reading into memory gives", "[cache]") {
  const Stage stage;
  static const auto large = vocabulary(70'000);  // its ids need more than 16 bits
  const auto* words = GENERATE(&small(), &large);
  const EncodeSettings settings{.vocabularies = *words, .longest_tokens = 5};
  const auto cache = stage.cache(settings);
  check_same(cache, read_corpus(stage.files, settings));
  CHECK(cache.counts().lines == 5);
  CHECK(cache.counts().empty_pairs == 1);
  CHECK(cache.counts().long_pairs == 1);
  CHECK(cache.counts().source == SideCounts{6, 1});
  CHECK(cache.counts().target == SideCounts{4, 0});
  CHECK(cache.counts().first_unknown == stage.files.source + ":4: d");
}

TEST_CASE("a cache is used again as long as nothing changed", "[cache]") {
  const Stage stage;
  const auto made = stage.cache();
  CHECK(ends_with(made, ": made"));
  REQUIRE(stage.kept().size() == 1);
  const auto again = stage.cache();
  CHECK(ends_with(again, ": used again"));
  CHECK(again.counts().first_unknown == made.counts().first_unknown);
  CHECK(again.counts().source == made.counts().source);
  CHECK(again.counts().target == made.counts().target);
  check_same(again, read_corpus(stage.files, {small(), 5}));
}

TEST_CASE("a cache is not used for a model with other rules for sources", "[cache]") {
  const Stage stage;
  EncodeSettings settings{.vocabularies = small(), .longest_tokens = 5};
  CHECK(ends_with(stage.cache(settings), ": made"));
  settings.pair_check =
      PairCheck{"rules", [](std::span<const std::uint32_t>) { return std::nullopt; },
                [](std::span<const std::uint32_t>) { return std::nullopt; }};
  CHECK(ends_with(stage.cache(settings), ": made"));
  CHECK(ends_with(stage.cache(settings), ": used again"));
  CHECK(stage.kept().size() == 2);
}

/// The bytes of the stage's only cache.
std::string bytes_of_cache(const Stage& stage) {
  REQUIRE(stage.kept().size() == 1);
  return Scratch::read(stage.kept()[0]);
}

void replace_cache(const Stage& stage, const std::string& bytes) {
  std::ofstream(stage.kept()[0], std::ios::binary) << bytes;
}

TEST_CASE("any flipped bit of a cache is found, and the cache rebuilt with a warning", "[cache]") {
  const Stage stage;
  const auto corpus = read_corpus(stage.files, {small(), 5});
  CHECK(stage.cache().warning().empty());
  const auto whole = bytes_of_cache(stage);
  constexpr std::size_t kVersion = 16;  // another version is rebuilt without a warning
  for (std::size_t i = kVersion; i < whole.size(); ++i) {
    auto damaged = whole;
    damaged[i] ^= 4;
    replace_cache(stage, damaged);
    const auto rebuilt = stage.cache();
    // A damaged key is that of another text.
    if (!ends_with(rebuilt, " was another") && !ends_with(rebuilt, " has changed")) {
      if (!rebuilt.warning().starts_with(stage.kept()[0] + ": ") ||
          !rebuilt.warning().ends_with("; it was rebuilt from its text"))
        FAIL("byte " << i << ": " << rebuilt.warning());
      if (!ends_with(rebuilt, ": rebuilt, it was damaged")) FAIL(rebuilt.story());
    }
    if (bytes_of_cache(stage) != whole) FAIL("byte " << i);
  }
  const auto again = stage.cache();
  CHECK(ends_with(again, ": used again"));
  check_same(again, corpus);
}

TEST_CASE("a cache that was cut short is rebuilt with a warning", "[cache]") {
  const Stage stage;
  stage.cache();
  const auto whole = bytes_of_cache(stage);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    replace_cache(stage, whole.substr(0, size));
    if (!stage.cache().warning().starts_with(stage.kept()[0] + ": ")) FAIL(size);
    if (bytes_of_cache(stage) != whole) FAIL(size);
  }
}

TEST_CASE("a cache of another version is rebuilt without a warning", "[cache]") {
  const Stage stage;
  stage.cache();
  auto older = bytes_of_cache(stage);
  older.replace(0, 14, "awend corpus 1");
  replace_cache(stage, older);
  const auto rebuilt = stage.cache();
  CHECK(rebuilt.warning().empty());
  CHECK(ends_with(rebuilt, ": rebuilt, has another version of the format"));
}

TEST_CASE("a checksum does not keep a hostile cache from being refused by name", "[cache]") {
  const Scratch scratch;
  CacheWriter writer(scratch.path("x"), scratch.folder(), {.longest_tokens = 5}, {2});
  EncodedPairs pairs;
  pairs.ids = {1, 9};
  pairs.lengths = {1, 1};
  pairs.words = {1};
  writer.add(pairs);
  writer.commit({.lines = 1, .first_unknown = {}});
  const base::MappedFile file(scratch.path("x"));
  const auto parts = parse_cache(file.bytes());
  verify_cache(file.bytes());
  const SideView target({.ids = parts.ids,
                         .begins = parts.begins.data() + 1,
                         .stride = 2,
                         .vocabulary_size = 9,
                         .file = file.path()});
  std::vector<std::uint32_t> ids;
  CHECK(message_of([&] { target.append_to(ids, 0); }) ==
        file.path() +
            ": the corpus cache is damaged: id 9 out of range (vocabulary size 9); remove it");
}

TEST_CASE("a changed file is encoded again, even with its old time and size", "[cache]") {
  const Stage stage;
  const auto before = stage.cache().fingerprint();
  const auto time = fs::last_write_time(stage.files.target);
  stage.scratch.write("target", "b\na\nb a\nc\na a a a a\n");
  fs::last_write_time(stage.files.target, time);
  const auto anew = stage.cache();
  CHECK(ends_with(anew, ": rebuilt, the target has changed"));
  CHECK(anew.fingerprint() != before);
  CHECK(stage.kept().size() == 1);
}

TEST_CASE("another vocabulary or length has a separate cache", "[cache]") {
  const Stage stage;
  const auto other = vocabulary(1);
  stage.cache();
  CHECK(ends_with(stage.cache({other, 5}), ": made"));
  CHECK(ends_with(stage.cache({small(), 4}), ": made"));
  CHECK(ends_with(stage.cache(), ": used again"));
  CHECK(stage.kept().size() == 3);
}

TEST_CASE("a foreign or damaged cache is rebuilt", "[cache]") {
  const Stage stage;
  const auto expected = stage.cache().fingerprint();
  const auto path = stage.kept().at(0);
  const auto whole = Scratch::read(path);
  auto other_begin = whole;
  other_begin[16 + 24 + 8] = 9;
  for (const auto& bytes : {std::string("lines of text\n"), std::string(),
                            whole.substr(0, whole.size() - 8), whole.substr(0, 30), other_begin}) {
    std::ofstream(path, std::ios::binary) << bytes;
    const auto cache = stage.cache();
    CHECK(ends_with(cache, ": rebuilt, it was damaged"));
    CHECK(cache.warning().starts_with(path + ": is "));
    CHECK(cache.fingerprint() == expected);
    CHECK(Scratch::read(path) == whole);
  }
}

TEST_CASE("what fails leaves no cache, and keeps the old one", "[cache]") {
  const Stage stage;
  stage.scratch.write("target", "b\n");
  CHECK(message_of([&] { stage.cache(); }).ends_with(" has 1"));
  CHECK(stage.kept().empty());
  stage.scratch.write("target", "b\na\na a\nc\na\n");
  const auto refuse = [](const CorpusCounts&) { throw base::Error("no"); };
  CHECK(message_of([&] {
          stage.cache({.vocabularies = small(), .longest_tokens = 5, .judge = refuse});
        }) == "no");
  CHECK(stage.kept().empty());
  stage.cache();
  CHECK(message_of([&] {
          stage.cache({.vocabularies = small(), .longest_tokens = 5, .judge = refuse});
        }) == "no");
  CHECK(stage.kept().size() == 1);
}

TEST_CASE("a cache stays readable when another takes its name", "[cache]") {
  const Stage stage;
  const auto first = stage.cache();
  const auto corpus = read_corpus(stage.files, {small(), 5});
  stage.scratch.write("source", "c\nc\nc\nc\nc\n");
  CHECK(stage.cache().fingerprint() != first.fingerprint());
  check_same(first, corpus);
}

TEST_CASE("a pipe is encoded for one run and leaves nothing", "[cache]") {
  Stage stage;
  const auto corpus = read_corpus(stage.files, {small(), 5});
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const auto text = Scratch::read(stage.files.source);
  REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  REQUIRE(::close(ends[1]) == 0);
  stage.files.source = base::concat("/dev/fd/", ends[0]);
  const auto cache = stage.cache();
  ::close(ends[0]);
  CHECK(stage.kept().empty());
  check_same(cache, corpus);
}

TEST_CASE("a disk that fills up is an error that names the cache and leaves nothing", "[cache]") {
  Stage stage;
  std::string lines;
  for (int i = 0; i < 50'000; ++i) lines += "a b c a\n";
  stage.scratch.write("source", lines);
  stage.scratch.write("target", lines);
  struct rlimit before {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small_disk { 100'000, before.rlim_max };
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small_disk) == 0);
  const auto message = message_of([&] { stage.cache(); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_action);
  CHECK(message.starts_with(stage.directory + "/corpus-"));
  CHECK(message.ends_with(": File too large"));
  CHECK(stage.kept().empty());
}

TEST_CASE("threads change nothing, across thousands of chunks' borders", "[cache]") {
  Stage stage;
  base::Random random(3);
  const auto text = [&] {
    std::string lines;
    for (int line = 0; line < 60'000; ++line) {
      for (std::uint32_t piece = random.below(12); piece > 0; --piece) {
        lines += "abcd"[random.below(4)];
        lines += ' ';
      }
      lines += '\n';
    }
    return lines;
  };
  stage.scratch.write("source", text());
  stage.scratch.write("target", text());
  const auto one =
      read_corpus(stage.files, {.vocabularies = small(), .longest_tokens = 9, .threads = 1});
  const auto many = stage.cache({.vocabularies = small(), .longest_tokens = 9, .threads = 7});
  check_same(many, one);
  CHECK(many.counts().source == one.counts.source);
  CHECK(many.counts().target == one.counts.target);
  CHECK(many.counts().first_unknown == one.counts.first_unknown);
  CHECK(many.counts().empty_pairs == one.counts.empty_pairs);
  CHECK(many.counts().long_pairs == one.counts.long_pairs);
}

}  // namespace
}  // namespace awend::data
