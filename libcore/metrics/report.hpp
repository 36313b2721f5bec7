// The output for the scores of one system: the text line and JSON of sacreBLEU, with signatures
// that describe the computation and differ from those of sacreBLEU only in the version.
//
// Test: tests/unit/metrics/report_test.cpp, tests/cli/score_cases_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "metrics/measure.hpp"
#include "metrics/metric.hpp"

namespace awend::metrics {

/// A sampling test, as named in signatures: bs is a bootstrap, ar approximate randomization.
struct Sampling {
  enum class Kind { kBootstrap, kRandomization };
  Kind kind = Kind::kBootstrap;
  std::uint64_t samples = 1000;
  std::optional<std::uint64_t> seed = 12345;  // none: different samples in every run
};

/// "12345", or "none".
std::string seed_of(const Sampling& sampling);

using Signature = std::vector<SignatureField>;

/// The fields of the metric, after the number of references (nrefs, `var` if it varies, 0 if the
/// metric does not read them) and the test, and before the version.
Signature signature_of(const Metric& metric, const ReferenceCount& references,
                       const std::optional<Sampling>& sampling = {});

enum class SignatureStyle { kLong, kShort };

/// "nrefs:1|case:mixed|...", or "#:1|c:mixed|...".
std::string text_of(const Signature& signature, SignatureStyle style = SignatureStyle::kLong);

/// The mean of the scores of the samples, and half the width of the interval that contains 95 % of
/// them.
struct Confidence {
  double mean = 0;
  double half_width = 0;
};

struct Result {
  std::string metric;
  Score score;
  Signature signature;
  std::optional<Confidence> confidence = {};
};

enum class Detail { kFull, kScoreOnly };

struct TextStyle {
  int digits = 1;
  Detail detail = Detail::kFull;
  SignatureStyle signature = SignatureStyle::kLong;
};

/// "BLEU|nrefs:1|... = 28.8 61.7/35.1/22.5/14.1 (BP = 1.000 ratio = 1.009 hyp_len = 1681 ref_len =
/// 1666)", or only the score; no LF.
std::string line_of(const Result& result, const TextStyle& style);

/// One line per result, with right-aligned signatures.
std::string lines_of(std::span<const Result> results, const TextStyle& style);

/// A list of objects, each on its own lines, as sacreBLEU formats it; ends in a line feed.
inline constexpr base::JsonStyle kObjectLines = {
    .open = "[\n", .separator = ",\n", .close = "\n]\n"};

/// An object, or an array of several.
std::string json_of(std::span<const Result> results, int digits);

}  // namespace awend::metrics
