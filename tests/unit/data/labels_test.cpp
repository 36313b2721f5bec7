// Labels, and corpora with labels or without targets.
#include "data/labels.hpp"

#include "base/error.hpp"
#include "data/corpus_cache.hpp"
#include "data/fingerprint.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/data/special_vocabulary.hpp"

namespace awend::data {
namespace {

using Words = std::vector<std::uint32_t>;

struct Stage {
  tests::Scratch scratch;
  text::Vocabulary vocabulary = special_vocabulary(5);
  std::uint32_t w0 = vocabulary.find("w0").value();
  std::uint32_t separator = vocabulary.find("[SEP]").value();
  std::uint32_t separators = 1;

  EncodeSettings settings(CorpusKind kind) const {
    return {.vocabularies = vocabulary,
            .longest_tokens = 5,
            .labeling = {.kind = kind,
                         .labels = {"no", "yes"},
                         .separator = separator,
                         .separators = separators}};
  }
  Corpus read(const std::string& source, const std::string& target, CorpusKind kind) {
    return read_corpus({scratch.write("source", source), scratch.write("target", target)},
                       settings(kind));
  }
  std::string error_of(const std::string& source, const std::string& target, CorpusKind kind) {
    return tests::message_of([&] { read(source, target, kind); });
  }
};

Words words_of(std::span<const std::uint32_t> ids) {
  return {ids.begin(), ids.end()};
}

}  // namespace

TEST_CASE("labels are sorted and distinct, and must be in a regular file", "[labels]") {
  const tests::Scratch scratch;
  const base::Report report("test", base::Verbosity::kQuiet);
  const std::string paths[] = {scratch.write("a", "yes\nno\n\nyes\n"), scratch.write("b", "B A\n")};
  const auto labels = read_labels(paths, report);
  CHECK(labels == std::vector<std::string>{"A", "B", "no", "yes"});
  const LabelIds ids(labels);
  CHECK(ids.find("no") == 2);
  CHECK_FALSE(ids.find("maybe"));
  const std::string empty[] = {scratch.write("c", "\n\n")};
  CHECK(tests::message_of([&] { read_labels(empty, report); }).ends_with("c: no labels"));
  const std::string second[] = {paths[0], empty[0]};
  CHECK(tests::message_of([&] { read_labels(second, report); }).ends_with("c: no labels"));
  const std::string same[] = {scratch.write("d", "yes\nyes\n")};
  CHECK(tests::message_of([&] {
          read_labels(same, report);
        }).ends_with("d: expected two or more labels, got only 'yes'"));
  const std::string tab[] = {scratch.write("e", "yes\nno\tway\n")};
  CHECK(tests::message_of([&] {
          read_labels(tab, report);
        }).ends_with("e:2: a label has a tab, which separates labels in output"));
  const std::string null[] = {"/dev/null"};
  CHECK(tests::message_of([&] { read_labels(null, report); }).find("regular file") !=
        std::string::npos);
}

TEST_CASE("a line has one label, and a tab divides it into segments", "[labels]") {
  Stage stage;
  const auto corpus = stage.read("w0 w1\nw2\tw1\n\n", "yes\nno\n\n", CorpusKind::kLabeledLines);
  REQUIRE(corpus.pairs.size() == 2);
  CHECK(words_of(corpus.pairs.source[0]) == Words{stage.w0, stage.w0 + 1});
  CHECK(words_of(corpus.pairs.source[1]) == Words{stage.w0 + 2, stage.separator, stage.w0 + 1});
  CHECK(words_of(corpus.pairs.target[0]) == Words{1});
  CHECK(words_of(corpus.pairs.target[1]) == Words{0});
  CHECK(corpus.counts.empty_pairs == 1);
  const auto kind = CorpusKind::kLabeledLines;
  CHECK(stage.error_of("w0\nw1\n", "yes\nmaybe\n", kind)
            .ends_with("target:2: the label 'maybe' does not occur in training"));
  CHECK(stage.error_of("w0\n", "yes no\n", kind)
            .ends_with("target:1: expected 1 label for the line, got 2"));
  CHECK(stage.error_of("w0\n", "\n", kind).ends_with("expected 1 label for the line, got 0"));
  CHECK(stage.error_of("w0\tw1\tw2\n", "yes\n", kind)
            .ends_with("source:1: expected one or two segments, got another tab"));
}

TEST_CASE("each token has a label, and separators have none", "[labels]") {
  Stage stage;
  const auto corpus = stage.read("w0 w1\tw2\n", "yes no yes\n", CorpusKind::kLabeledTokens);
  CHECK(words_of(corpus.pairs.target[0]) == Words{1, 0, 1});
  CHECK(stage.error_of("w0 w1\n", "yes\n", CorpusKind::kLabeledTokens)
            .ends_with("target:1: expected 2 labels of tokens, got 1"));
}

TEST_CASE("segments may have two separators between them", "[labels]") {
  Stage stage;
  stage.separators = 2;
  const auto tokens = stage.read("w0\tw2\n", "yes no\n", CorpusKind::kLabeledTokens);
  CHECK(words_of(tokens.pairs.source[0]) ==
        Words{stage.w0, stage.separator, stage.separator, stage.w0 + 2});
  const auto spans = stage.read("w0\tw1\n", "1 1\n", CorpusKind::kSpans);
  CHECK(words_of(spans.pairs.target[0]) == Words{1, 1});
  CHECK(stage.error_of("w0\tw1\n", "2 2\n", CorpusKind::kSpans)
            .ends_with("target:1: an answer from token 2 to 2 is not in the passage of 1 tokens"));
}

TEST_CASE("an answer is two numbers of tokens of its passage", "[labels]") {
  Stage stage;
  const auto kind = CorpusKind::kSpans;
  const auto corpus = stage.read("w0\tw1 w2\nx y\tw1\n\nw0\tw1\n", "1 2\n0 0\n\n 1  1 \n", kind);
  REQUIRE(corpus.pairs.size() == 3);
  CHECK(words_of(corpus.pairs.source[0]) ==
        Words{stage.w0, stage.separator, stage.w0 + 1, stage.w0 + 2});
  CHECK(words_of(corpus.pairs.target[0]) == Words{1, 2});
  CHECK(words_of(corpus.pairs.target[1]) == Words{kNoAnswer, kNoAnswer});
  CHECK(corpus.counts.empty_pairs == 1);
  // The unknown tokens are those of the text; a number is not an id.
  REQUIRE(stage.vocabulary.unknown() == kNoAnswer);
  CHECK(corpus.counts.source.unknown == 2);
  CHECK(corpus.counts.target == SideCounts{});
  const auto error = [&](const std::string& source, const std::string& target) {
    const auto message = stage.error_of(source, target, kind);
    return message.substr(message.rfind('/') + 1);
  };
  CHECK(error("w0\tw1\nw0 w1\n", "1 1\n1 1\n") ==
        "source:2: expected a question and a passage with a tab between them");
  CHECK(error("w0\tw1 w2\n", "2 3\n") ==
        "target:1: an answer from token 2 to 3 is not in the passage of 2 tokens");
  CHECK(error("w0\tw1 w2\n", "2 1\n") ==
        "target:1: an answer from token 2 to 1 is not in the passage of 2 tokens");
  CHECK(error("w0\tw1 w2\n", "0 1\n") ==
        "target:1: an answer from token 0 to 1 is not in the passage of 2 tokens");
  CHECK(error("w0\tw1 w2\n", "2\n") ==
        "target:1: expected the first and the last token of an answer, got '2'");
  CHECK(error("w0\tw1 w2\n", "1 2 1\n") ==
        "target:1: expected the first and the last token of an answer, got '1 2 1'");
  CHECK(error("w0\tw1 w2\n", "1 w2\n") == "target:1: expected numbers of tokens, got 'w2'");
  CHECK(error("w0\tw1 w2\n", "-1 2\n") == "target:1: expected numbers of tokens, got '-1'");
}

TEST_CASE("numbers of tokens may be larger than the vocabulary", "[labels]") {
  Stage stage;
  auto settings = stage.settings(CorpusKind::kSpans);
  settings.longest_tokens = 200;
  std::string passage = "w0\t";
  for (int i = 0; i < 150; ++i) passage += "w1 ";
  const CorpusFiles files{stage.scratch.write("long", passage + "\n"),
                          stage.scratch.write("numbers", "140 150\n")};
  const auto cache = CorpusCache::of(files, settings, stage.scratch.path(""));
  REQUIRE(stage.vocabulary.size() < 140);
  Words target;
  cache.view(1).target.append_to(target, 0);
  CHECK(target == Words{140, 150});
}

TEST_CASE("running text keeps empty and long sentences as ends of documents", "[labels]") {
  Stage stage;
  const CorpusFiles files{stage.scratch.write("text", "w0 w1\n\nw2\nw0 w0 w0 w0 w0\nw1\n"), ""};
  const auto settings = stage.settings(CorpusKind::kRunning);
  const auto corpus = read_corpus(files, settings);
  REQUIRE(corpus.pairs.size() == 5);
  CHECK(words_of(corpus.pairs.source[0]) == Words{stage.w0, stage.w0 + 1});
  CHECK(corpus.pairs.source[1].empty());
  CHECK(corpus.pairs.source[3].empty());
  CHECK(corpus.pairs.target[0].empty());
  CHECK(corpus.counts.long_pairs == 1);
  CHECK(names_of(files) == files.source);
  const auto directory = stage.scratch.path("");
  const auto cache = CorpusCache::of(files, settings, directory);
  CHECK(cache.fingerprint() == fingerprint(corpus.pairs));
  CHECK(CorpusCache::of(files, settings, directory).story().ends_with("used again"));
  // The same text with another meaning has another cache.
  auto pairs = stage.settings(CorpusKind::kLabeledLines);
  const CorpusFiles labeled{files.source, stage.scratch.write("labels", "no\n\nno\nno\nyes\n")};
  CHECK(CorpusCache::of(labeled, pairs, directory).story().ends_with("made"));
  pairs.labeling.labels = {"no", "other", "yes"};
  CHECK(CorpusCache::of(labeled, pairs, directory).story().ends_with("made"));
}

}  // namespace awend::data
