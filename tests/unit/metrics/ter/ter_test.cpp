// TER, by hand, against the whole table of edit distances, and against sacreBLEU.
#include "metrics/ter/ter.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "metrics/real_rows.hpp"
#include "metrics/ter/edits.hpp"
#include "tests/catch.hpp"
#include "tests/unit/metrics/corpus.hpp"
#include "tests/unit/metrics/three_references.hpp"

namespace {

using namespace awend::metrics;
using namespace awend::tests;
using Words = std::vector<std::uint32_t>;
using Numbers = std::vector<std::int64_t>;

// Without a beam.
std::int32_t plain_distance(const Words& hypothesis, const Words& reference) {
  std::vector<std::int32_t> row(reference.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<std::int32_t>(j);
  for (std::size_t i = 1; i <= hypothesis.size(); ++i) {
    auto diagonal = row[0]++;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const auto replaced = diagonal + (hypothesis[i - 1] == reference[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

Words random_words(std::mt19937& random, std::size_t longest) {
  Words words(random() % (longest + 1));
  for (auto& word : words) word = random() % 6;
  return words;
}

TEST_CASE("texts that fit the beam have their plain distance") {
  std::mt19937 random(3);
  TerDistance distance;
  for (int round = 0; round < 500; ++round) {
    const auto hypothesis = random_words(random, 24), reference = random_words(random, 24);
    distance.set(hypothesis, reference);
    REQUIRE(distance.value() == plain_distance(hypothesis, reference));
  }
}

TEST_CASE("a change in the middle gives the distance of the changed text") {
  std::mt19937 random(5);
  TerDistance distance, whole;
  for (int round = 0; round < 500; ++round) {
    // Long enough for the beam to matter, and of any slope.
    auto hypothesis = random_words(random, round % 2 ? 10 : 120);
    const auto reference = random_words(random, round % 3 ? 120 : 20);
    hypothesis.push_back(1);
    const std::size_t begin = random() % hypothesis.size();
    Words words(1 + random() % (hypothesis.size() - begin));
    for (auto& word : words) word = random() % 6;
    distance.set(hypothesis, reference);
    auto changed = hypothesis;
    std::ranges::copy(words, changed.begin() + static_cast<std::ptrdiff_t>(begin));
    whole.set(changed, reference);
    REQUIRE(distance.value_with(begin, words) == whole.value());
  }
}

TEST_CASE("an alignment has as many errors as the distance") {
  std::mt19937 random(6);
  TerDistance distance;
  TerAlignment alignment;
  for (int round = 0; round < 500; ++round) {
    const auto hypothesis = random_words(random, 60), reference = random_words(random, 60);
    distance.set(hypothesis, reference);
    distance.align(alignment);
    std::int32_t errors = 0, hypothesis_errors = 0;
    for (auto wrong : alignment.reference_wrong) errors += wrong;
    for (auto wrong : alignment.hypothesis_wrong) hypothesis_errors += wrong;
    REQUIRE(std::ranges::is_sorted(alignment.hypothesis_of));
    REQUIRE(distance.value() >= std::max(errors, hypothesis_errors));
    REQUIRE(distance.value() <= errors + hypothesis_errors);
  }
}

std::int64_t edits_of(const Ter& ter, const std::string& hypothesis, const std::string& reference) {
  return static_cast<std::int64_t>(real_of(sums_of(ter, {hypothesis}, {{reference}})[0]));
}

std::int64_t edits(const std::string& hypothesis, const std::string& reference) {
  return edits_of(Ter(), hypothesis, reference);
}

TEST_CASE("edits of TER by hand") {
  CHECK(edits("", "") == 0);
  CHECK(edits("a b", "") == 2);
  CHECK(edits("", "a b") == 2);
  CHECK(edits("a b c", "a x c") == 1);
  CHECK(edits("d a b c", "a b c d") == 1);        // one move
  CHECK(edits("c d e a b", "a b c d e") == 1);    // one move of several words
  CHECK(edits("c d e a b x", "a b c d e") == 2);  // and a word too many
  CHECK(edits("A b", "a B") == 0);
  CHECK(edits_of(Ter({.case_sensitive = true}), "A b", "a B") == 2);
}

TEST_CASE("references are normalized twice, as in sacreBLEU") {
  const Ter ter({.normalized = true});
  CHECK(edits_of(ter, "Anna's, too", "Anna's, too") == 2);
  CHECK(edits_of(ter, "Anna's , too", "Anna's, too") == 0);
}

TEST_CASE("a mean length is a double, and sums are taken line by line") {
  const Ter ter;
  const auto of_one = sums_of(ter, {"a"}, {{"a"}, {"a b"}, {"a b c d"}});
  CHECK(real_of(of_one[0]) == 0);
  CHECK(real_of(of_one[1]) == 7.0 / 3);
  // One line with two references and one with three: edits over 1/2 + 1/3 words.
  auto sums = sums_of(ter, {"x"}, {{"a"}, {""}});
  add_rows(ter, sums_of(ter, {""}, {{"a"}, {""}, {""}}), sums);
  CHECK(real_of(sums[0]) == 1);
  CHECK(ter.score(sums).value == 100 * (1 / (1.0 / 2 + 1.0 / 3)));
  CHECK(ter.score(Numbers{bits_of(3), bits_of(0)}).value == 100);
  CHECK(ter.score(Numbers{bits_of(0), bits_of(0)}).value == 0);
}

TEST_CASE("three references have sacreBLEU's last digit") {
  const auto corpus = three_references();
  CHECK(score_of(Ter(), corpus.first, corpus.references) == 29.302325581395355);
  CHECK(score_of(Ter(), corpus.second, corpus.references) == 33.48837209302326);
}

TEST_CASE("a very long line is measured too") {
  std::string line;
  for (int i = 0; i < 20'000; ++i) line += (i * 7919) % 1000 < 3 ? "x " : std::to_string(i) + " ";
  CHECK(edits(line, line) == 0);
  CHECK(edits("y " + line, line) == 1);
  CHECK(edits("", line) == 20'000);
}

TerSettings settings_of(const nlohmann::json& args) {
  return {.case_sensitive = args.value("case_sensitive", false),
          .normalized = args.value("normalized", false),
          .no_punct = args.value("no_punct", false),
          .asian_support = args.value("asian_support", false)};
}

TEST_CASE("small corpora have sacreBLEU's TER, on the conformance data", "[conformance]") {
  const auto path = conformance_file("sacrebleu/corpus_inline.jsonl");
  if (!path) return;
  std::size_t seen = 0;
  for (const auto& line : read_json_lines(*path)) {
    if (line["metric"] != "TER") continue;
    ++seen;
    INFO(line["id"] << " " << line["args"]);
    const Ter ter(settings_of(line["args"]));
    const auto& expected = line["expect"];
    const auto sums = sums_of(ter, line["hyp"], line["refs"]);
    CHECK(real_of(sums[0]) == expected["num_edits"].get<double>());
    CHECK(real_of(sums[1]) == expected["ref_length"].get<double>());
    CHECK(ter.score(sums).value == expected["score"].get<double>());
    CHECK(fields_of(ter) == fields_of(expected["signature"].get<std::string>()));
    CHECK(fields_of(ter, true) == fields_of(expected["short_signature"].get<std::string>()));
  }
  CHECK(seen == 273);
}

TEST_CASE("newstest2017 has sacreBLEU's TER, on the conformance data", "[conformance]") {
  const auto path = conformance_file("wmt17-ende-systems/expected.jsonl");
  if (!path) return;
  const std::map<std::string, TerSettings> cases = {{"ter", {}},
                                                    {"ter-norm", {.normalized = true}}};
  CHECK(check_newstest2017<Ter>(*path, cases) == 10);
}

TEST_CASE("newstest2017 has tercom's TER, on the conformance data", "[conformance]") {
  const auto path = conformance_file("wmt17-ende-systems/published.tsv");
  if (!path) return;
  const auto directory = path->substr(0, path->rfind('/') + 1);
  const auto reference = lines_of(read_conformance(directory + "ref.de.gz"));
  std::size_t seen = 0;
  for (const auto& row : lines_of(read_conformance(*path))) {
    const auto fields = split_at(row, '\t');
    if (fields[0] == "system") continue;
    ++seen;
    INFO(row);
    const auto hypotheses = lines_of(read_conformance(directory + fields[0] + ".gz"));
    const auto score = score_of(Ter(), hypotheses, {reference}) / 100;
    CHECK(std::abs(score - std::stod(fields[5])) < 5e-4);
  }
  CHECK(seen == 5);
}

}  // namespace
