// Corpora with word alignments: in memory, in a cache and in batches, and what is refused.
#include <filesystem>

#include "base/error.hpp"
#include "data/batch.hpp"
#include "data/corpus_cache.hpp"
#include "data/fingerprint.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/data/small_vocabulary.hpp"

namespace awend::data {
namespace {

using tests::message_of;
using tests::Scratch;

struct Stage {
  Scratch scratch;
  CorpusFiles files{.source = scratch.write("source", "a b c\n\na c\na b c a b c a\nb\n"),
                    .target = scratch.write("target", "b b\na\nc\nb\na a\n"),
                    .alignments = scratch.write("links", "0-0 2-1 0-1\n\n\n6-0\n0-1 0-0\n")};
  const text::Vocabulary* words = &small();

  Stage() { std::filesystem::create_directory(scratch.path("cache")); }
  EncodeSettings settings() const { return {.vocabularies = *words, .longest_tokens = 6}; }
  Corpus read() const { return read_corpus(files, settings()); }
  CorpusCache cache() const { return CorpusCache::of(files, settings(), scratch.path("cache")); }
  /// The error with other alignments.
  std::string refused(const std::string& links) const {
    auto other = files;
    other.alignments = scratch.write("other", links);
    const auto message = message_of([&] { read_corpus(other, settings()); });
    const auto name = other.alignments;
    const auto at = message.find(name);
    return at == std::string::npos ? message : message.substr(at + name.size());
  }
};

batch::PackedBatch packed(const PairsView& view, std::vector<std::uint32_t> pairs) {
  batch::PackedBatch batch;
  pack_batch(view, pairs, batch);
  return batch;
}

TEST_CASE("links of a batch have the rows of its target", "[alignments]") {
  const Stage stage;
  const auto corpus = stage.read();
  CHECK(corpus.counts.empty_pairs == 1);
  CHECK(corpus.counts.long_pairs == 1);
  CHECK(corpus.counts.source.pieces + corpus.counts.target.pieces == 3 + 2 + 2 + 1 + 1 + 2);
  REQUIRE(corpus.pairs.alignments);
  CHECK(corpus.pairs.alignments->size() == 3);
  using Links = std::vector<batch::Link>;
  CHECK(packed(corpus.pairs, {0}).links == Links{{0, 0}, {2, 1}, {0, 1}});
  CHECK(packed(corpus.pairs, {1}).links.empty());
  // The targets have 3 and 2 rows with their ends.
  CHECK(packed(corpus.pairs, {0, 1, 2}).links ==
        Links{{0, 0}, {2, 1}, {0, 1}, {0, 3 + 2 + 1}, {0, 3 + 2}});
  auto batch = packed(corpus.pairs, {0});
  clear(batch);
  CHECK(batch.links.empty());
}

TEST_CASE("a cache has the alignments of its files", "[alignments]") {
  Stage stage;
  static const auto large = vocabulary(70'000);  // its ids need more than 16 bits
  stage.words = GENERATE(&small(), &large);
  const auto corpus = stage.read();
  const auto cache = stage.cache();
  const PairsView view({cache.view(1)}, corpus.pairs.end_of_sentence);
  const auto expected = packed(corpus.pairs, {0, 1, 2}), batch = packed(view, {0, 1, 2});
  CHECK(batch.links == expected.links);
  CHECK(batch.source.ids == expected.source.ids);
  CHECK(batch.output_ids == expected.output_ids);
  CHECK(view.longest() == PairsView(corpus.pairs).longest());
  CHECK(cache.fingerprint() == fingerprint(corpus.pairs));
  CHECK(cache.fingerprint() == fingerprint(view));
  CHECK(stage.cache().story().ends_with(": used again"));
  // Other links, or none, are another corpus.
  stage.scratch.write("links", "0-0 2-1 0-1\n\n\n6-0\n0-0 0-1\n");
  const auto other = stage.cache();
  CHECK(other.story().ends_with(": rebuilt, the alignment has changed"));
  CHECK(other.fingerprint() != cache.fingerprint());
  stage.files.alignments.clear();
  const auto without = stage.cache();
  CHECK(without.story().ends_with(": made"));
  CHECK(without.fingerprint() != cache.fingerprint());
  CHECK(!without.view(1).alignments);
}

TEST_CASE("alignments that do not fit the text are refused with their line", "[alignments]") {
  const Stage stage;
  CHECK(stage.refused("0-0\n\n2-0\n\n\n") ==
        ":3: the link 2-0 is outside of the pair, which has 2 source and 1 target tokens");
  CHECK(stage.refused("0-0\n\n0-1\n\n\n") ==
        ":3: the link 0-1 is outside of the pair, which has 2 source and 1 target tokens");
  CHECK(stage.refused("0-0\n0-0\n\n\n\n") ==
        ":2: the link 0-0 is outside of the pair, which has 0 source and 1 target tokens");
  CHECK(stage.refused("0-0\n\n\n\n0p1\n") ==
        ":5: a possible link of 0 and 1; expected only sure links, such as 0-1");
  CHECK(stage.refused("0-0\n\nx\n\n\n") == ":3: 'x' is not a link, such as 0-0");
  CHECK(stage.refused("0-0\n\n") == " has 2");
  CHECK(stage.refused("0-0\n\n\n\n\n\n") == " has 6");
}

TEST_CASE("a cache with links outside of a pair is refused by name", "[alignments]") {
  const Scratch scratch;
  CacheWriter writer(scratch.path("x"), scratch.folder(), {.longest_tokens = 5}, {2, 3});
  EncodedPairs pairs;
  pairs.ids = {1, 2, 1, 0, 1};
  pairs.lengths = {2, 1, 2};
  pairs.words = {1};
  writer.add(pairs);
  writer.commit({.lines = 1, .first_unknown = {}});
  const base::MappedFile file(scratch.path("x"));
  const auto parts = parse_cache(file.bytes());
  const auto side = [&](std::size_t number) {
    return SideView({.ids = parts.ids,
                     .begins = parts.begins.data() + number,
                     .stride = 3,
                     .file = file.path()});
  };
  const CorpusView corpus{.source = side(0), .target = side(1), .alignments = side(2), .size = 1};
  CHECK(message_of([&] { packed(PairsView({corpus}, 1), {0}); }) ==
        file.path() + ": the corpus cache is damaged: link 0-1 of 2 and 1 tokens; remove it");
}

}  // namespace
}  // namespace awend::data
