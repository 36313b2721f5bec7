// BLEU, by hand and against sacreBLEU: statistics, scores in full precision, and the printed line.
#include "metrics/bleu.hpp"

#include <cmath>

#include "base/version.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"

namespace {

using namespace awend::metrics;
using Strings = std::vector<std::string>;

BleuStatistics statistics_of(const Strings& hypothesis, const std::vector<Strings>& references) {
  return bleu_statistics(hypothesis, references);
}

TEST_CASE("matches are clipped to the reference richest in the n-gram") {
  // The example of the paper on BLEU, section 2.1.
  const Strings the(7, "the");
  const Strings first = {"the", "cat", "is", "on", "the", "mat"};
  const Strings second = {"there", "is", "a", "cat", "on", "the", "mat"};
  const auto statistics = statistics_of(the, {first, second});
  CHECK(statistics.matches == std::array<std::uint64_t, 4>{2, 0, 0, 0});
  CHECK(statistics.totals == std::array<std::uint64_t, 4>{7, 6, 5, 4});
  CHECK(statistics.hypothesis_words == 7);
  CHECK(statistics.reference_words == 7);
}

TEST_CASE("the closest reference length counts, the shorter of two") {
  const Strings three(3, "a"), five(5, "a"), seven(7, "a");
  CHECK(statistics_of(Strings(4, "a"), {five, three}).reference_words == 3);
  CHECK(statistics_of(Strings(6, "a"), {three, seven}).reference_words == 7);
  CHECK(statistics_of({}, {three, {}}).reference_words == 0);
}

TEST_CASE("n-grams are counted order by order") {
  const auto statistics =
      statistics_of({"a", "b", "c", "a", "b"}, {{"x", "a", "b", "c", "y", "a", "b"}});
  CHECK(statistics.matches == std::array<std::uint64_t, 4>{5, 3, 1, 0});
  CHECK(statistics.totals == std::array<std::uint64_t, 4>{5, 4, 3, 2});
}

TEST_CASE("a score by hand") {
  BleuStatistics statistics{.matches = {5, 3, 1, 0}, .totals = {5, 4, 3, 2}};
  statistics.hypothesis_words = 5;
  statistics.reference_words = 7;
  const auto result = bleu_score(statistics);
  CHECK(result.precisions[3] == 25);  // no match of 2: half a match
  CHECK(result.brevity_penalty == Approx(std::exp(1 - 7.0 / 5)));
  CHECK(
      result.score ==
      Approx(100 * std::exp(-0.4) * std::pow(1.0 * 0.75 * (1.0 / 3) * 0.25, 0.25)).epsilon(1e-12));
  CHECK(result.ratio == Approx(5.0 / 7));
}

TEST_CASE("nothing in common, too short, or nothing at all is nought") {
  BleuStatistics none{.totals = {5, 4, 3, 2}, .hypothesis_words = 5, .reference_words = 5};
  CHECK(bleu_score(none).score == 0);
  CHECK(bleu_score(none).precisions[0] == 0);
  BleuStatistics brief{
      .matches = {3, 2, 1, 0}, .totals = {3, 2, 1, 0}, .hypothesis_words = 3, .reference_words = 3};
  CHECK(bleu_score(brief).score == 0);
  CHECK(bleu_score(brief).precisions[2] == 100);
  CHECK(bleu_score({}).score == 0);
  CHECK(bleu_score({}).brevity_penalty == 1);
  CHECK(bleu_score({.reference_words = 3}).brevity_penalty == 0);
}

TEST_CASE("the line says how the number came about") {
  Bleu bleu({.tokenizer = Tokenizer::kNone, .letter_case = LetterCase::kLower});
  const std::string_view references[] = {"the dog bit the MAN today", "a dog"};
  bleu.add("The dog bit the man today", references);
  CHECK(bleu.line(2) ==
        "BLEU|nrefs:2|case:lc|eff:no|tok:none|smooth:exp|version:awend-" +
            std::string(awend::base::version()) +
            " = 100.00 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)");
}

TEST_CASE("digits are rounded as printf rounds") {
  CHECK(fixed(0.25, 1) == "0.2");
  CHECK(fixed(0.35, 1) == "0.3");  // the double nearest to 0.35 is below it
  CHECK(fixed(99.95, 0) == "100");
  CHECK(fixed(28.802501987, 4) == "28.8025");
}

// A line of sacreBLEU with our name for the version.
std::string as_awend(std::string line) {
  const std::string from = "version:2.6.0";
  return line.replace(line.find(from), from.size(),
                      "version:awend-" + std::string(awend::base::version()));
}

std::optional<BleuSettings> settings_of(const nlohmann::json& args) {
  BleuSettings settings;
  for (const auto& [name, value] : args.items()) {
    if (name == "lowercase") {
      settings.letter_case = value.get<bool>() ? LetterCase::kLower : LetterCase::kMixed;
    } else if (name == "tokenize" && tokenizer_named(value.get<std::string>())) {
      settings.tokenizer = *tokenizer_named(value.get<std::string>());
    } else {
      return std::nullopt;
    }
  }
  return settings;
}

TEST_CASE("corpora score as with sacreBLEU, on the conformance data") {
  const auto path = awend::tests::conformance_file("sacrebleu/corpus_inline.jsonl");
  if (!path) return;
  std::size_t seen = 0;
  for (const auto& line : awend::tests::read_json_lines(*path)) {
    const auto settings = line["metric"] == "BLEU" ? settings_of(line["args"]) : std::nullopt;
    if (!settings) continue;
    ++seen;
    INFO(line["id"] << " " << line["args"]);
    Bleu bleu(*settings);
    const auto hypotheses = line["hyp"].get<Strings>();
    const auto references = line["refs"].get<std::vector<Strings>>();
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
      std::vector<std::string_view> of_line;
      for (const auto& reference : references) of_line.push_back(reference[i]);
      bleu.add(hypotheses[i], of_line);
    }
    const auto& expected = line["expect"];
    CHECK(std::abs(bleu.score().score - expected["score"].get<double>()) < 1e-9);
    CHECK(bleu.line(1) == as_awend(expected["line_w1"]));
    CHECK(bleu.line(4) == as_awend(expected["line_w4"]));
    for (std::size_t n = 0; n < kBleuOrder; ++n) {
      CHECK(bleu.statistics().matches[n] == expected["counts"][n].get<double>());
      CHECK(bleu.statistics().totals[n] == expected["totals"][n].get<double>());
    }
  }
  CHECK(seen >= 4 * 39);
}

TEST_CASE("statistics give sacreBLEU's score, on the conformance data") {
  const auto path = awend::tests::conformance_file("sacrebleu/bleu_stats.jsonl");
  if (!path) return;
  std::size_t seen = 0;
  for (const auto& line : awend::tests::read_json_lines(*path)) {
    if (line["smooth_method"] != "exp" || line["effective_order"] == true ||
        line["correct"].size() != kBleuOrder) {
      continue;
    }
    ++seen;
    INFO(line["id"]);
    const auto result = bleu_score({.matches = line["correct"].get<std::array<std::uint64_t, 4>>(),
                                    .totals = line["total"].get<std::array<std::uint64_t, 4>>(),
                                    .hypothesis_words = line["sys_len"].get<std::uint64_t>(),
                                    .reference_words = line["ref_len"].get<std::uint64_t>()});
    CHECK(std::abs(result.score - line["score"].get<double>()) < 1e-9);
    CHECK(std::abs(result.brevity_penalty - line["bp"].get<double>()) < 1e-12);
  }
  CHECK(seen > 0);
}

}  // namespace
