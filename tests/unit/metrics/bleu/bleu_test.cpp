// BLEU, by hand and against sacreBLEU: statistics, scores in full precision, and the printed line;
// and what holds for any text.
#include "metrics/bleu/bleu.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/unit/metrics/scoring.hpp"

namespace {

using namespace awend::metrics;
using awend::tests::as_awend;
using awend::tests::Strings;
using awend::tests::sums_of;
using Numbers = std::vector<std::int64_t>;

BleuStatistics statistics_of(const std::string& hypothesis, const Strings& references) {
  std::vector<Strings> streams;
  for (const auto& reference : references) streams.push_back({reference});
  return BleuStatistics::of_row(
      sums_of(Bleu({.tokenizer = BleuTokenizer::kNone}), {hypothesis}, streams));
}

TEST_CASE("matches are clipped to the reference richest in the n-gram") {
  // The example of the paper on BLEU, section 2.1.
  const auto statistics = statistics_of("the the the the the the the",
                                        {"the cat is on the mat", "there is a cat on the mat"});
  CHECK(statistics.matches == Numbers{2, 0, 0, 0});
  CHECK(statistics.totals == Numbers{7, 6, 5, 4});
  CHECK(statistics.hypothesis_words == 7);
  CHECK(statistics.reference_words == 7);
}

TEST_CASE("the closest reference length counts, the shorter of two") {
  CHECK(statistics_of("a a a a", {"a a a a a", "a a a"}).reference_words == 3);
  CHECK(statistics_of("a a a a a a", {"a a a", "a a a a a a a"}).reference_words == 7);
  CHECK(statistics_of("", {"a a a", ""}).reference_words == 0);
}

TEST_CASE("n-grams are counted order by order") {
  const auto statistics = statistics_of("a b c a b", {"x a b c y a b"});
  CHECK(statistics.matches == Numbers{5, 3, 1, 0});
  CHECK(statistics.totals == Numbers{5, 4, 3, 2});
}

TEST_CASE("settings that BLEU does not have are refused") {
  const auto refuses = [](const BleuFormula& formula) {
    CHECK_THROWS_AS(Bleu({.formula = formula}), awend::base::UsageError);
  };
  refuses({.max_order = 0});
  refuses({.max_order = SIZE_MAX / 2});
  refuses({.smoothing = Smoothing::kFloor, .smoothing_value = std::nan("")});
  refuses({.smoothing = Smoothing::kAddK, .smoothing_value = -1});
  CHECK_THROWS_AS(Bleu({.tokenizer = static_cast<BleuTokenizer>(99)}), std::logic_error);
  CHECK_THROWS_AS(BleuStatistics::of_row({}), std::logic_error);
  CHECK_THROWS_AS(bleu_score({.matches = {1, 1}, .totals = {1}}), std::logic_error);
}

TEST_CASE("a score by hand") {
  const auto result = bleu_score({5, 7, {5, 3, 1, 0}, {5, 4, 3, 2}});
  CHECK(result.precisions[3] == 25);  // no match of 2: half a match
  CHECK(result.brevity_penalty == Approx(std::exp(1 - 7.0 / 5)));
  CHECK(
      result.score ==
      Approx(100 * std::exp(-0.4) * std::pow(1.0 * 0.75 * (1.0 / 3) * 0.25, 0.25)).epsilon(1e-12));
  CHECK(result.ratio == Approx(5.0 / 7));
}

TEST_CASE("no match, too short, or empty scores zero") {
  const BleuStatistics none{5, 5, {0, 0, 0, 0}, {5, 4, 3, 2}};
  CHECK(bleu_score(none).score == 0);
  CHECK(bleu_score(none).precisions[0] == 0);
  const BleuStatistics brief{3, 3, {3, 2, 1, 0}, {3, 2, 1, 0}};
  CHECK(bleu_score(brief).score == 0);
  CHECK(bleu_score(brief).precisions[2] == 100);
  CHECK(bleu_score(brief, {.effective_order = true}).score == Approx(100));
  const BleuStatistics empty{0, 0, {0, 0, 0, 0}, {0, 0, 0, 0}};
  CHECK(bleu_score(empty).score == 0);
  CHECK(bleu_score(empty).brevity_penalty == 1);
  CHECK(bleu_score({0, 3, {0, 0, 0, 0}, {0, 0, 0, 0}}).brevity_penalty == 0);
}

TEST_CASE("smoothing has names, and values") {
  CHECK(awend::base::value_of<kSmoothingWords>("add-k") == Smoothing::kAddK);
  CHECK_THROWS_AS(awend::base::value_of<kSmoothingWords>("linear"), awend::base::Error);
  const BleuStatistics one{4, 4, {2, 0, 0, 0}, {4, 3, 2, 1}};
  CHECK(bleu_score(one, {.smoothing = Smoothing::kNone}).score == 0);
  const BleuFormula floor{.smoothing = Smoothing::kFloor, .smoothing_value = 0.3};
  CHECK(bleu_score(one, floor).precisions[1] == Approx(10));
  CHECK(bleu_score(one, {.smoothing = Smoothing::kAddK}).precisions[1] == Approx(25));
}

TEST_CASE("the signature describes the computation") {
  const Bleu bleu({.tokenizer = BleuTokenizer::kIntl,
                   .letter_case = LetterCase::kLower,
                   .formula = {.smoothing = Smoothing::kFloor, .effective_order = true}});
  CHECK(text_of(bleu.signature()) == "case:lc|eff:yes|tok:intl|smooth:floor[0.10]");
  CHECK(text_of(bleu.signature(), SignatureStyle::kShort) == "c:lc|e:yes|tok:intl|s:floor[0.10]");
}

std::optional<BleuSettings> settings_of(const nlohmann::json& args) {
  BleuSettings settings;
  for (const auto& [name, value] : args.items()) {
    if (name == "lowercase") {
      settings.letter_case = value.get<bool>() ? LetterCase::kLower : LetterCase::kMixed;
    } else if (name == "tokenize") {
      settings.tokenizer = tokenizer_named(value.get<std::string>()).value();
    } else if (name == "smooth_method") {
      settings.formula.smoothing = awend::base::value_of<kSmoothingWords>(value.get<std::string>());
    } else if (name == "smooth_value") {
      settings.formula.smoothing_value = value.get<double>();
    } else if (name == "effective_order") {
      settings.formula.effective_order = value.get<bool>();
    } else if (name == "max_ngram_order") {
      settings.formula.max_order = value.get<std::size_t>();
    } else {
      return std::nullopt;
    }
  }
  return settings;
}

TEST_CASE("corpora score as with sacreBLEU, on the conformance data", "[conformance]") {
  const auto path = awend::tests::conformance_file("sacrebleu/corpus_inline.jsonl");
  if (!path) return;
  std::size_t seen = 0;
  for (const auto& line : awend::tests::read_json_lines(*path)) {
    if (line["metric"] != "BLEU") continue;
    const auto settings = settings_of(line["args"]);
    INFO(line["id"] << " " << line["args"]);
    REQUIRE(settings);
    ++seen;
    const Bleu bleu(*settings);
    const auto references = line["refs"].get<std::vector<Strings>>();
    const auto sums = sums_of(bleu, line["hyp"].get<Strings>(), references);
    const auto& expected = line["expect"];
    const auto result = bleu_score(BleuStatistics::of_row(sums), settings->formula);
    CHECK(std::abs(result.score - expected["score"].get<double>()) < 1e-9);
    CHECK(result.matches == expected["counts"].get<std::vector<double>>());
    CHECK(result.totals == expected["totals"].get<std::vector<double>>());
    const auto signature = signature_of(bleu, {references.size(), references.size()});
    const Result printed{bleu.name(), bleu.score(sums), signature};
    CHECK(line_of(printed, {.digits = 1}) == as_awend(expected["line_w1"]));
    CHECK(line_of(printed, {.digits = 4}) == as_awend(expected["line_w4"]));
    CHECK(text_of(signature, SignatureStyle::kShort) == as_awend(expected["short_signature"]));
  }
  CHECK(seen == 741);
}

TEST_CASE("statistics give sacreBLEU's score, on the conformance data", "[conformance]") {
  const auto path = awend::tests::conformance_file("sacrebleu/bleu_stats.jsonl");
  if (!path) return;
  std::size_t seen = 0;
  for (const auto& line : awend::tests::read_json_lines(*path)) {
    ++seen;
    INFO(line["id"]);
    BleuFormula formula{.max_order = line["correct"].size(),
                        .smoothing = awend::base::value_of<kSmoothingWords>(
                            line["smooth_method"].get<std::string>()),
                        .effective_order = line["effective_order"]};
    if (!line["smooth_value"].is_null())
      formula.smoothing_value = line["smooth_value"].get<double>();
    const auto result = bleu_score({line["sys_len"], line["ref_len"],
                                    line["correct"].get<Numbers>(), line["total"].get<Numbers>()},
                                   formula);
    CHECK(std::abs(result.score - line["score"].get<double>()) < 1e-9);
    CHECK(std::abs(result.brevity_penalty - line["bp"].get<double>()) < 1e-12);
    const auto precisions = line["precisions"].get<std::vector<double>>();
    for (std::size_t n = 0; n < precisions.size(); ++n) {
      CHECK(result.precisions[n] == Approx(precisions[n]).epsilon(1e-12));
    }
  }
  CHECK(seen == 46);
}

// Lines of a few words, so that much is in common.
Strings random_lines(std::mt19937& random, std::size_t count) {
  Strings lines(count);
  for (auto& line : lines) {
    for (auto words = random() % 15; words > 0; --words)
      line += "abcdef,."[random() % 8] + std::string(" ");
  }
  return lines;
}

TEST_CASE("what holds for any text") {
  std::mt19937 random(1);
  const Bleu bleu;
  for (int i = 0; i < 200; ++i) {
    auto hypotheses = random_lines(random, 1 + random() % 8);
    std::vector<Strings> references(1 + random() % 3);
    for (auto& stream : references) stream = random_lines(random, hypotheses.size());
    const auto sums = sums_of(bleu, hypotheses, references);
    const auto score = bleu.value(sums);
    CHECK(score >= 0);
    CHECK(score <= 100 + 1e-9);

    // The order of the lines does not matter.
    auto turned = references;
    for (auto& stream : turned) std::ranges::reverse(stream);
    CHECK(sums_of(bleu, {hypotheses.rbegin(), hypotheses.rend()}, turned) == sums);

    // Another reference takes no match away.
    auto more = references;
    more.push_back(random_lines(random, hypotheses.size()));
    const auto fewer_matches = BleuStatistics::of_row(sums).matches;
    const auto more_matches = BleuStatistics::of_row(sums_of(bleu, hypotheses, more)).matches;
    for (std::size_t n = 0; n < 4; ++n) CHECK(more_matches[n] >= fewer_matches[n]);

    // A text is its own best translation.
    const auto own = sums_of(bleu, hypotheses, {hypotheses});
    if (BleuStatistics::of_row(own).totals[3] > 0) CHECK(bleu.value(own) == Approx(100));
  }
}

}  // namespace
