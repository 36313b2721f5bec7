#include "feature_reader.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/field.hpp"
#include "base/format.hpp"
#include "base/numbers.hpp"
#include "metrics/python_space.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kWords = "words";
constexpr base::LineLimits kWeightLimits{.line_bytes = 1 << 16, .file_bytes = 1 << 20};

/// A field of the last line of `in`.
double finite_number(std::string_view text, const base::LineReader& in) {
  return base::at_line(
      in, [&] { return base::to_number<double>(text, "a number", base::RealRange{}); });
}

}  // namespace

FeatureReader::FeatureReader(const FeatureFiles& files)
    : candidates_(files.candidates, files.policy, files.each) {
  if (files.columns) columns_.emplace(*files.columns, files.policy);
  first_ = candidates_.next();
  if (first_) {
    for (const auto& [name, value] : first_->candidates.front().features) names_.push_back(name);
    of_list_ = names_.size();
    names_.emplace_back(kWords);
  }
  if (columns_) read_header();
  require_unique_names();
}

void FeatureReader::read_header() {
  std::string_view line;
  if (!columns_->next(line)) base::fail(columns_->name(), ": no header with names of features");
  if (!first_) return;
  for (const auto name : base::split(line, '\t')) {
    if (name.empty() || name.find_first_of(" =,") != std::string::npos)
      base::fail(columns_->place(), ": '", name, "' is not a name of a feature");
    if (base::find_number<double>(name))
      base::fail(columns_->place(), ": expected names of features, got the number ", name);
    names_.emplace_back(name);
  }
}

void FeatureReader::require_unique_names() const {
  for (auto name = names_.begin(); name != names_.end(); ++name) {
    if (std::find(names_.begin(), name, *name) == name) continue;
    base::fail(columns_ ? columns_->name() : candidates_.lines().name(), ": two features '", *name,
               "'");
  }
}

std::optional<CandidateList> FeatureReader::read() {
  if (!first_) return candidates_.next();
  auto list = std::move(first_);
  first_.reset();
  return list;
}

std::optional<FeatureList> FeatureReader::next() {
  auto list = read();
  if (!list) {
    std::string_view line;
    if (columns_ && columns_->next(line))
      base::fail(columns_->place(), ": more lines than candidates");
    return std::nullopt;
  }
  FeatureList features{.list = std::move(*list), .values = {}};
  for (const auto& candidate : features.list.candidates)
    features.values.push_back(values_of(candidate));
  return features;
}

std::vector<double> FeatureReader::values_of(const Candidate& candidate) {
  std::vector<double> values;
  const bool same_names = std::ranges::equal(candidate.features, std::span(names_).first(of_list_),
                                             {}, &metrics::Feature::name);
  if (!same_names)
    base::fail(candidates_.where(), ": a candidate has other features than the first one");
  for (const auto& [name, value] : candidate.features) {
    if (!std::isfinite(value))
      base::fail(candidates_.where(), ": the feature ", name, " is not finite");
    values.push_back(value);
  }
  values.push_back(static_cast<double>(metrics::count_words(candidate.text)));
  if (columns_) append_columns(values);
  return values;
}

void FeatureReader::append_columns(std::vector<double>& values) {
  std::string_view line;
  if (!columns_->next(line)) {
    base::fail(columns_->name(), ": ends after ", columns_->line_number(),
               " lines, before the candidates");
  }
  const auto parts = base::split(line, '\t');
  const auto expected = names_.size() - values.size();
  if (parts.size() != expected)
    base::fail(columns_->place(), ": expected ", expected, " columns, got ", parts.size());
  for (const auto& part : parts) values.push_back(finite_number(part, *columns_));
}

std::vector<double> weights_of(const std::map<std::string, double>& weights,
                               const std::vector<std::string>& names) {
  std::vector<double> of_names(names.size());
  for (const auto& [name, weight] : weights) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      base::fail("no feature '", name, "'; there are ", base::join(names, ", "));
    }
    of_names[static_cast<std::size_t>(found - names.begin())] = weight;
  }
  return of_names;
}

std::map<std::string, double> read_weights(const std::string& path) {
  base::LineReader lines(path, {}, kWeightLimits);
  std::map<std::string, double> weights;
  for (std::string_view line; lines.next(line);) {
    const auto space = line.rfind(' ');
    if (space == 0 || space == std::string_view::npos)
      base::fail(lines.place(), ": expected a name and a weight");
    const auto weight = finite_number(line.substr(space + 1), lines);
    if (!weights.emplace(line.substr(0, space), weight).second)
      base::fail(lines.place(), ": a second weight of ", line.substr(0, space));
  }
  return weights;
}

std::string weights_text(const std::vector<std::string>& names,
                         const std::vector<double>& weights) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += base::concat(names[i], " ", weights[i], "\n");
  return text;
}

}  // namespace awend::tools
