#include "metrics/report.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "base/json.hpp"
#include "base/version.hpp"
#include "metrics/numbers.hpp"

namespace awend::metrics {
namespace {

std::string interval_of(const Confidence& confidence, int digits) {
  return base::concat("μ = ", fixed(confidence.mean, digits), " ± ",
                      fixed(confidence.half_width, digits));
}

std::string json_object(const Result& result, int digits) {
  base::JsonObject object({.open = "{\n ", .separator = ",\n ", .colon = ": ", .close = "\n}"});
  object.text("name", result.metric);
  object.value("score", json_number(rounded(result.score.value, digits)));
  object.text("signature", text_of(result.signature));
  if (result.confidence) {
    object.value("confidence_mean", json_number(rounded(result.confidence->mean, digits)));
    object.value("confidence_var", json_number(rounded(result.confidence->half_width, digits)));
    object.text("confidence", interval_of(*result.confidence, digits));
  }
  if (!result.score.details.empty()) object.text("verbose_score", result.score.details);
  for (const auto& field : result.signature) object.text(field.name, field.value);
  return object.str();
}

}  // namespace

std::string seed_of(const Sampling& sampling) {
  return sampling.seed ? base::concat(*sampling.seed) : "none";
}

Signature signature_of(const Metric& metric, const ReferenceCount& references,
                       const std::optional<Sampling>& sampling) {
  Signature signature;
  const std::string count = !metric.needs_references()         ? "0"
                            : references.min == references.max ? base::concat(references.max)
                                                               : "var";
  signature.push_back({"nrefs", "#", count});
  if (sampling) {
    const auto* name = sampling->kind == Sampling::Kind::kBootstrap ? "bs" : "ar";
    signature.push_back({name, name, base::concat(sampling->samples)});
    signature.push_back({"seed", "rs", seed_of(*sampling)});
  }
  const auto own = metric.signature();
  signature.insert(signature.end(), own.begin(), own.end());
  signature.push_back({"version", "v", base::concat("awend-", base::version())});
  return signature;
}

std::string text_of(const Signature& signature, SignatureStyle style) {
  std::string text;
  for (const auto& field : signature) {
    text += base::concat(text.empty() ? "" : "|",
                         style == SignatureStyle::kShort ? field.letters : field.name, ":",
                         field.value);
  }
  return text;
}

std::string line_of(const Result& result, const TextStyle& style) {
  auto score = fixed(result.score.value, style.digits);
  if (result.confidence)
    score += base::concat(" (", interval_of(*result.confidence, style.digits), ")");
  if (style.detail == Detail::kScoreOnly) return score;
  return base::concat(result.metric, "|", text_of(result.signature, style.signature), " = ", score,
                      result.score.details.empty() ? "" : " ", result.score.details);
}

std::string lines_of(std::span<const Result> results, const TextStyle& style) {
  std::vector<std::string> lines;
  std::size_t widest = 0;
  // The text before the sign is ASCII except for names of models, which may be misaligned.
  const auto before_sign = [](const std::string& line) {
    return std::min(line.find('='), line.size());
  };
  for (const auto& result : results) {
    lines.push_back(line_of(result, style));
    widest = std::max(widest, before_sign(lines.back()));
  }
  std::string text;
  for (const auto& line : lines) {
    if (style.detail == Detail::kFull) text.append(widest - before_sign(line), ' ');
    text += line + "\n";
  }
  return text;
}

std::string json_of(std::span<const Result> results, int digits) {
  if (results.size() == 1) return json_object(results.front(), digits) + "\n";
  return base::json_list(
      results, [&](const Result& result) { return json_object(result, digits); }, kObjectLines);
}

}  // namespace awend::metrics
