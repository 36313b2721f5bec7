// What is printed of one system's scores: sacreBLEU's text line and JSON, with signatures that say
// how a number came about and differ from sacreBLEU's in the version alone.
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

/// A test that draws samples, as signatures name it: bs is a bootstrap, ar approximate
/// randomisation.
struct Sampling {
  enum class Kind { kBootstrap, kRandomisation };
  Kind kind = Kind::kBootstrap;
  std::uint64_t samples = 1000;
  std::optional<std::uint64_t> seed = 12345;  // none: other samples in every run
};

/// "12345", or "none".
std::string seed_of(const Sampling& sampling);

using Signature = std::vector<SignatureField>;

/// The metric's own fields with the number of references (nrefs, `var` where it varies) and the
/// test in front and the version behind.
Signature signature_of(const Metric& metric, const ReferenceCount& references,
                       const std::optional<Sampling>& sampling = {});

enum class SignatureStyle { kLong, kShort };

/// "nrefs:1|case:mixed|...", or "#:1|c:mixed|...".
std::string text_of(const Signature& signature, SignatureStyle style = SignatureStyle::kLong);

/// The mean of the samples' scores, and half the width of the interval that 95 % of them lie in.
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
/// 1666)", or the score alone; no LF.
std::string line_of(const Result& result, const TextStyle& style);

/// A line for each result, the signatures flush right.
std::string lines_of(std::span<const Result> results, const TextStyle& style);

/// A list of objects, each on its own lines, as sacreBLEU formats it; ends in a line feed.
inline constexpr base::JsonStyle kObjectLines = {
    .open = "[\n", .separator = ",\n", .close = "\n]\n"};

/// An object, or an array of several.
std::string json_of(std::span<const Result> results, int digits);

}  // namespace awend::metrics
