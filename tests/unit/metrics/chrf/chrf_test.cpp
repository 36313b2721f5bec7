// chrF, by hand, against sacreBLEU, and against the published scores of WMT.
#include "metrics/chrf/chrf.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "metrics/chrf/text.hpp"
#include "tests/catch.hpp"
#include "tests/unit/metrics/corpus.hpp"

namespace {

using namespace awend::metrics;
using namespace awend::tests;
using Numbers = std::vector<std::int64_t>;

std::string joined_words(std::string_view line) {
  std::string text;
  for_each_chrf_word(
      line, [&](std::string_view word) { text += (text.empty() ? "" : "|") + std::string(word); });
  return text;
}

TEST_CASE("words of chrF++ lose one mark") {
  CHECK(joined_words(" (hi) \"there\n..a ! !! é. .é") == "(hi|)|\"|there|.|.a|!|!|!|é|.|.|é");
  CHECK(joined_words("a\u00a0b\u2003c\u3000d\u0085e\x1c"
                     "f") == "a|b|c|d|e|f");
  CHECK(joined_words("a\u200bb\ufeffc\u180e") == "a\u200bb\ufeffc\u180e");
  CHECK(joined_words("") == "");
  CHECK(joined_words(" \t ") == "");
}

TEST_CASE("settings that chrF does not have are refused") {
  CHECK_THROWS_AS(Chrf({.char_order = 1'000'000'000}), awend::base::UsageError);
  CHECK_THROWS_AS(Chrf({.char_order = -1}), awend::base::UsageError);
  CHECK_THROWS_AS(Chrf({.word_order = 2'147'483'647}), awend::base::UsageError);
  CHECK_THROWS_AS(Chrf({.beta = -1}), awend::base::UsageError);
}

TEST_CASE("statistics of chrF by hand") {
  const Chrf chrf({.char_order = 3, .word_order = 1});
  CHECK(sums_of(chrf, {"a ba b"}, {{"ab a."}}) == Numbers{4, 4, 3, 3, 3, 2, 2, 2, 1, 3, 3, 1});
  // No 3-grams in the reference: those of the hypothesis do not count.
  CHECK(sums_of(chrf, {"abc"}, {{"ab"}}) == Numbers{3, 2, 2, 2, 1, 1, 0, 0, 0, 1, 1, 0});
  CHECK(sums_of(chrf, {""}, {{""}}) == Numbers(12));
  const Chrf spaced({.char_order = 1, .whitespace = true});
  CHECK(sums_of(spaced, {"a b"}, {{"a  b"}}) == Numbers{3, 4, 3});
}

TEST_CASE("the reference of greatest F counts, the first of equals") {
  const Chrf chrf({.char_order = 1});
  CHECK(sums_of(chrf, {"ab"}, {{"ax"}, {"ab"}}) == Numbers{2, 2, 2});
  CHECK(sums_of(chrf, {"ab"}, {{"xyz"}, {"xy"}}) == Numbers{2, 3, 0});
}

TEST_CASE("chrF forgets the line before") {
  const Chrf chrf({.char_order = 2, .word_order = 2});
  const auto worker = chrf.make_worker();
  Numbers row(chrf.width()), again(chrf.width());
  const std::string_view long_ones[] = {"a b c d e f a b c d", "x"}, short_one[] = {"a b"};
  worker->set_references(short_one);
  worker->measure("a b", row);
  worker->set_references(long_ones);
  worker->measure("a b c d e f", again);
  worker->set_references(short_one);
  worker->measure("x y z", again);
  worker->measure("a b", again);
  CHECK(again == row);
}

TEST_CASE("scores of chrF by hand") {
  CHECK(Chrf({.char_order = 1}).score(Numbers{4, 5, 3}).value ==
        Approx(500 * 0.75 * 0.6 / (4 * 0.75 + 0.6)));
  CHECK(Chrf().score(Numbers(18)).value == 0);
  CHECK(Chrf({.eps_smoothing = true}).score(Numbers(18)).value == Approx(0).margin(1e-12));
}

TEST_CASE("names and signatures of chrF are sacreBLEU's") {
  CHECK(Chrf().name() == "chrF2");
  CHECK(Chrf({.word_order = 2, .beta = 3}).name() == "chrF3++");
  CHECK(fields_of(Chrf()) == "case:mixed|eff:yes|nc:6|nw:0|space:no");
  CHECK(fields_of(Chrf({.lowercase = true, .whitespace = true, .eps_smoothing = true}), true) ==
        "c:lc|e:no|nc:6|nw:0|s:yes");
}

Chrf metric_of(const nlohmann::json& args) {
  ChrfSettings settings;
  settings.char_order = args.value("char_order", settings.char_order);
  settings.word_order = args.value("word_order", settings.word_order);
  settings.beta = args.value("beta", settings.beta);
  settings.lowercase = args.value("lowercase", false);
  settings.whitespace = args.value("whitespace", false);
  settings.eps_smoothing = args.value("eps_smoothing", false);
  return Chrf(settings);
}

TEST_CASE("small corpora score as with sacreBLEU, on the conformance data", "[conformance]") {
  const auto path = conformance_file("sacrebleu/corpus_inline.jsonl");
  if (!path) return;
  std::size_t seen = 0;
  for (const auto& line : read_json_lines(*path)) {
    if (line["metric"] != "CHRF") continue;
    ++seen;
    INFO(line["id"] << " " << line["args"]);
    const auto chrf = metric_of(line["args"]);
    const auto& expected = line["expect"];
    const auto score = score_of(chrf, line["hyp"], line["refs"]);
    CHECK(std::abs(score - expected["score"].get<double>()) < 1e-9);
    CHECK(fields_of(chrf) == fields_of(expected["signature"].get<std::string>()));
    CHECK(fields_of(chrf, true) == fields_of(expected["short_signature"].get<std::string>()));
    CHECK(expected["line_w1"].get<std::string>().starts_with(chrf.name() + "|"));
  }
  CHECK(seen == 468);
}

TEST_CASE("newstest2017 scores as with sacreBLEU, on the conformance data", "[conformance]") {
  const auto path = conformance_file("wmt17-ende-systems/expected.jsonl");
  if (!path) return;
  const std::map<std::string, ChrfSettings> cases = {
      {"chrf", {}},
      {"chrf-eps", {.eps_smoothing = true}},
      {"chrf++", {.word_order = 2}},
      {"chrf++-eps", {.word_order = 2, .eps_smoothing = true}}};
  CHECK(check_newstest2017<Chrf>(*path, cases) == 20);
}

TEST_CASE("newstest2017 scores as with chrF++.py, on the conformance data", "[conformance]") {
  const auto path = conformance_file("wmt17-ende-systems/published.tsv");
  if (!path) return;
  const auto directory = path->substr(0, path->rfind('/') + 1);
  const auto reference = lines_of(read_conformance(directory + "ref.de.gz"));
  const auto fields = split_at(lines_of(read_conformance(*path)).at(1), '\t');
  const auto hypotheses = lines_of(read_conformance(directory + fields[0] + ".gz"));
  const Chrf characters({.eps_smoothing = true});
  const Chrf words({.word_order = 2, .eps_smoothing = true});
  CHECK(std::abs(score_of(characters, hypotheses, {reference}) - std::stod(fields[3])) < 5e-5);
  CHECK(std::abs(score_of(words, hypotheses, {reference}) - std::stod(fields[4])) < 5e-5);
}

// The file of that name in an archive, whatever its directory there.
std::string from_archive(const std::string& archive, const std::string& name) {
  return output_of("tar -xzOf '" + archive + "' --wildcards '*/" + name + "'");
}

// Archives are slow to search, and each file is read several times.
class Archives {
 public:
  explicit Archives(std::string directory) : directory_(std::move(directory)) {}
  const Strings& lines(const std::string& pair, const std::string& name) {
    auto& lines = lines_[name];
    if (lines.empty()) lines = lines_of(from_archive(directory_ + pair + ".tar.gz", name));
    return lines;
  }

 private:
  std::string directory_;
  std::map<std::string, Strings> lines_;
};

void check_published(const std::string& year, std::size_t expected) {
  const auto path = conformance_file(year + "/scores.tsv");
  if (!path) return;
  Archives archives(path->substr(0, path->rfind('/') + 1));
  std::size_t seen = 0;
  for (const auto& row : lines_of(read_conformance(*path))) {
    const auto fields = split_at(row, '\t');
    if (fields[2] != "chrf") continue;
    ++seen;
    INFO(row);
    std::vector<Strings> references;
    for (const auto& name : split_at(fields[4], ','))
      references.push_back(archives.lines(fields[0], name));
    const auto language = fields[0].substr(fields[0].find('-') + 1);
    const auto set = fields[4].substr(0, fields[4].find(".ref."));
    const auto& hypotheses = archives.lines(fields[0], set + ".hyp." + fields[1] + "." + language);
    REQUIRE(hypotheses.size() == references[0].size());
    CHECK(std::abs(score_of(Chrf(), hypotheses, references) - std::stod(fields[5])) < 1e-9);
  }
  CHECK(seen == expected);
}

TEST_CASE("chrF of WMT21 is what was published, on the conformance data", "[conformance]") {
  check_published("wmt21-systems", 128);
}

TEST_CASE("chrF of WMT22 is what was published, on the conformance data", "[conformance]") {
  check_published("wmt22-systems", 73);
}

}  // namespace
