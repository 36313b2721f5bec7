#include "align/aligner.hpp"

#include <fstream>
#include <limits>

#include "align/link_lexicon.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::align {
namespace {

// 60 pairs of two to five words, of which each translates one word, in the same order; every fifth
// pair has its first two words swapped.
Bitext bitext() {
  Bitext made(std::size_t{1} << 20, "/tmp");
  for (unsigned i = 0; i < 60; ++i) {
    std::string source, target;
    for (unsigned j = 0; j < 2 + i % 4; ++j) {
      const auto word = (i * 7 + j * 5) % 13;
      source += base::concat("s", word, " ");
      const auto place = i % 5 == 0 && j < 2 ? 1 - j : j;
      target += base::concat("t", (i * 7 + place * 5) % 13, " ");
    }
    made.add(source, target, 100);
  }
  return made;
}

std::vector<std::string> lines(const Bitext& text, const Aligner& aligner) {
  std::vector<std::string> all;
  DirectedModel::Scratch scratch;
  for (std::size_t i = 0; i < text.size(); ++i) {
    all.push_back(base::concat(aligner.score(i, scratch), " "));
    text::append_word_alignment(aligner.align(i, scratch), all.back());
  }
  return all;
}

AlignerSettings settings(unsigned threads, std::size_t memory_bytes = std::size_t{1} << 20) {
  AlignerSettings made;
  made.model.threads = threads;
  made.model.memory_bytes = memory_bytes;
  return made;
}

void ignore(double) {}

}  // namespace

TEST_CASE("words are aligned with their translations") {
  const auto text = bitext();
  const Aligner aligner(text, settings(1), {}, ignore);
  DirectedModel::Scratch scratch;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const auto& link : aligner.align(i, scratch)) {
      const auto source = text.source_words.word(text[i].source[link.source]);
      const auto target = text.target_words.word(text[i].target[link.target]);
      if (source.substr(1) != target.substr(1)) ++wrong;
    }
  }
  CHECK(wrong <= 2);
}

TEST_CASE("another seed draws other links, and without sweeps none are drawn") {
  const auto text = bitext();
  auto first = settings(1), second = settings(2), none = settings(1);
  second.model.seed = 2;
  none.model.sweeps = 0;
  CHECK(lines(text, Aligner(text, first, {}, ignore)) ==
        lines(text, Aligner(text, first, {}, ignore)));
  CHECK(lines(text, Aligner(text, none, {}, ignore)).size() == text.size());
  // Both are good.
  for (const auto& with : {second, none}) {
    const Aligner aligner(text, with, {}, ignore);
    DirectedModel::Scratch scratch;
    std::size_t right = 0;
    for (std::size_t i = 0; i < text.size(); ++i) right += aligner.align(i, scratch).size();
    CHECK(right > 2 * text.size());
  }
}

TEST_CASE("alignments and scores do not depend on threads or memory") {
  const auto text = bitext();
  const auto expected = lines(text, Aligner(text, settings(1), {}, ignore));
  CHECK(lines(text, Aligner(text, settings(3), {}, ignore)) == expected);
  CHECK(lines(text, Aligner(text, settings(2, 100), {}, ignore)) == expected);
  // Without memory, a share of the counts is a word; by the pairs there would be far more passes.
  CHECK(lines(text, Aligner(text, settings(2, 1), {}, ignore)) == expected);
}

TEST_CASE("a prior is written and read, and helps with few sentences") {
  auto text = bitext();
  Aligner aligner(text, settings(1), {}, ignore);
  const tests::Scratch scratch;
  const auto path = scratch.path("prior");
  {
    base::OutputFile file(path);
    write_priors(aligner.counts({}), text, file);
    file.commit();
  }
  Bitext one(std::size_t{1} << 20, "/tmp");
  base::LineReader reader(path);
  const auto priors = read_priors(reader, one);
  CHECK(priors.forward.lexicon.size() > 10);
  CHECK(one.source_words.size() == text.source_words.size());
  one.add("s1 s2 s3", "t2 t1 t3", 100);
  DirectedModel::Scratch pair;
  std::string line;
  text::append_word_alignment(Aligner(one, settings(1), priors, ignore).align(0, pair), line);
  CHECK(line == "0-1 1-0 2-2");
}

TEST_CASE("a damaged prior is refused by file and line") {
  const tests::Scratch scratch;
  const auto path = scratch.path("prior");
  const auto read = [&](std::string_view content) {
    std::ofstream(path) << content;
    Bitext text(std::size_t{1} << 20, "/tmp");
    base::LineReader lines(path);
    return read_priors(lines, text).forward.lexicon;
  };
  CHECK_THROWS_WITH(read(""), ContainsSubstring("not the prior of an aligner"));
  const std::string head = "awend-alignment-prior 1\n";
  CHECK(read(head + "forward\ta\tb\t1.5\n").size() == 1);
  const auto added = read(head + "forward\ta\tb\t1.5\nforward\ta\tb\t2\nforward\t\tb\t1\n");
  REQUIRE(added.size() == 2);
  CHECK(added[0].count + added[1].count == to_count(4.5));
  CHECK_THROWS_WITH(read(head + "forward\ta\tb\n"),
                    ContainsSubstring(path + ":2: expected DIRECTION SOURCE TARGET COUNT"));
  CHECK_THROWS_WITH(read(head + "forward\ta\tb\t-1\n"), ContainsSubstring("must be in [0, 1"));
  CHECK_THROWS_WITH(read(head + "forward\ta\t\t1\n"), ContainsSubstring("a target word is empty"));
  CHECK_THROWS_WITH(read(head + "reverse-jump\t41\t1\n"),
                    ContainsSubstring("must be in [-40, 40]"));
  CHECK_THROWS_WITH(read(head + "backward\ta\tb\t1\n"),
                    ContainsSubstring("'backward' is not forward"));
}

TEST_CASE("empty and long pairs have no links") {
  Bitext text(std::size_t{1} << 20, "/tmp");
  CHECK(text.add("a b", "c", 2));
  CHECK(text.add("", "c", 2));
  CHECK(text.add("", "", 2));
  CHECK_FALSE(text.add("a b c", "c", 2));
  CHECK(text.size() == 4);
  const Aligner aligner(text, settings(1), {}, ignore);
  DirectedModel::Scratch scratch;
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(aligner.align(i, scratch).empty());
    CHECK(aligner.score(i, scratch) == -std::numeric_limits<double>::infinity());
  }
}

TEST_CASE("probabilities of links, in Marian's form") {
  Bitext text(std::size_t{1} << 20, "/tmp");
  text.add("a b", "x y", 10);
  text.add("a", "z", 10);
  text.add("a", "x", 10);
  LinkLexicon lexicon;
  const std::vector<text::Link> two = {{0, 0}, {1, 1}}, one = {{0, 0}};
  lexicon.add(text[0], two);
  lexicon.add(text[1], one);
  lexicon.add(text[2], one);
  const tests::Scratch scratch;
  base::OutputFile file(scratch.path("lexicon"));
  lexicon.write(text, file);
  file.commit();
  CHECK(base::read_file(scratch.path("lexicon"), 1000) == "x a 0.666667\nz a 0.333333\ny b 1\n");
}

}  // namespace awend::align
