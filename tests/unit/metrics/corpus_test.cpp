// Files side by side, and what is measured of them.
#include "metrics/corpus.hpp"

#include "metrics/bleu/bleu.hpp"
#include "metrics/bleu/paper_bleu.hpp"
#include "metrics/measure.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::metrics;
using awend::tests::message_of;
using awend::tests::Scratch;

TEST_CASE("segments come from all files, with white space at their ends") {
  const Scratch scratch;
  CorpusReader reader(
      {.systems = {scratch.write("a", "a \r\n b\n"), scratch.write("b", "c\nd\xc2\xa0")},
       .references = {scratch.write("r", "1\t2\n\t4\n")},
       .reference_columns = 2});
  const auto chunk = reader.next();
  REQUIRE(chunk);
  CHECK(chunk->size() == 2);
  CHECK(chunk->systems[0][0] == "a \r");
  CHECK(chunk->systems[0][1] == " b");
  CHECK(chunk->systems[1][1] == "d\xc2\xa0");
  CHECK(chunk->references[0][1] == "");
  CHECK(chunk->references[1][0] == "2");
  CHECK(chunk->references[1][1] == "4");
  CHECK_FALSE(reader.next());
  CHECK(reader.segments() == 2);
}

TEST_CASE("files of different lengths are named with both counts") {
  const Scratch scratch;
  const auto two = scratch.write("two", "a\nb\n"), three = scratch.write("three", "a\nb\nc\n");
  const auto read = [&](const std::string& system, const std::string& reference) {
    CorpusReader reader({.systems = {system}, .references = {two, reference}});
    while (reader.next()) {
    }
  };
  CHECK(message_of([&] { read(two, three); }) == three + ": 3 lines, but " + two + " has 2");
  CHECK(message_of([&] { read(three, three); }) == two + ": 2 lines, but " + three + " has 3");
}

TEST_CASE("the number of fields is checked") {
  const Scratch scratch;
  const auto one = scratch.write("one", "a\nb\n"),
             columns = scratch.write("columns", "a\tb\nc\td\te\n");
  CorpusReader systems({.systems = {columns}, .references = {one}, .system_columns = 2});
  CHECK(message_of([&] { systems.next(); }) ==
        columns + ":2: expected 2 fields with tabs between, found 3");
  CorpusReader few({.systems = {one}, .references = {columns}, .reference_columns = 3});
  CHECK(message_of([&] { few.next(); }) ==
        columns + ":1: expected 3 fields with tabs between, found 2");
  // As in sacreBLEU, more tabs are part of the last reference.
  CorpusReader references({.systems = {one}, .references = {columns}, .reference_columns = 2});
  CHECK(references.next()->references[1][1] == "d\te");
}

CorpusStatistics measured(const CorpusFiles& files, unsigned threads, EmptyReferences empty) {
  Metrics metrics;
  metrics.push_back(std::make_unique<Bleu>());
  CorpusReader reader(files);
  return measure_corpus(reader, metrics, {.threads = threads, .empty_references = empty},
                        CorpusStatistics::Keep::kRows);
}

TEST_CASE("the threads do not change what is measured") {
  const Scratch scratch;
  std::string hypotheses, references;
  for (int i = 0; i < 1000; ++i) {
    hypotheses += "line " + std::to_string(i % 37) + " of many .\n";
    references += i % 5 == 0 ? "\n" : "line " + std::to_string(i % 41) + " of many.\n";
  }
  const CorpusFiles files{
      .systems = {scratch.write("h", hypotheses)},
      .references = {scratch.write("a", references), scratch.write("b", hypotheses)}};
  const auto one = measured(files, 1, EmptyReferences::kSkip);
  const auto three = measured(files, 3, EmptyReferences::kSkip);
  CHECK(one.segments == 1000);
  CHECK(one.sums == three.sums);
  CHECK(one.rows == three.rows);
  CHECK(one.references.min == 1);
  CHECK(one.references.max == 2);
  CHECK(one.tokenized.front() == 1000);
  CHECK(one.rows.front().size() == 10 * 1000);
  CHECK(measured(files, 2, EmptyReferences::kCount).references.min == 2);
}

TEST_CASE("white space at the end of a line is judged by the metric") {
  const Scratch scratch;
  CorpusReader reader({.systems = {scratch.write("a", "a b \u3000\r\nc .\u00a0\n")},
                       .references = {scratch.write("r", "a b\nc \u00a0\n")}});
  Metrics metrics;
  metrics.push_back(std::make_unique<Bleu>());
  metrics.push_back(std::make_unique<PaperBleu>(PaperBleuSettings{.split_compounds = false}));
  const auto statistics = measure_corpus(reader, metrics, {}, CorpusStatistics::Keep::kSums);
  // Perl counts U+3000 for a word, and U+00A0 for a part of one; both lengths are the row's last.
  CHECK(statistics.sums[0][0] == 4);
  CHECK(statistics.sums[0][1] == 3);
  CHECK(statistics.sums[1][8] == 5);
  CHECK(statistics.sums[1][9] == 4);
  CHECK(statistics.tokenized[0] == 1);
}

}  // namespace
