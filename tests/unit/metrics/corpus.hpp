// Scoring whole corpora in the tests of metrics.
#pragma once

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "metrics/measure.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"

namespace awend::tests {

using Strings = std::vector<std::string>;

/// The added statistics of the lines; `references` is one list of lines a reference.
inline std::vector<std::int64_t> sums_of(const metrics::Metric& metric, const Strings& hypotheses,
                                         const std::vector<Strings>& references) {
  std::vector<std::int64_t> sums(metric.width()), row(metric.width());
  const auto worker = metric.make_worker();
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    std::vector<std::string_view> of_line;
    for (const auto& reference : references) of_line.push_back(reference[i]);
    worker->set_references(of_line);
    worker->measure(hypotheses[i], row);
    metrics::add_rows(metric, row, sums);
  }
  return sums;
}

inline double score_of(const metrics::Metric& metric, const Strings& hypotheses,
                       const std::vector<Strings>& references) {
  return metric.score(sums_of(metric, hypotheses, references)).value;
}

/// Lines, each without white space at its end, as sacreBLEU reads them.
inline Strings lines_of(const std::string& content) {
  Strings lines;
  for (std::size_t begin = 0; begin < content.size();) {
    const auto end = std::min(content.find('\n', begin), content.size());
    auto line = content.substr(begin, end - begin);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r'))
      line.pop_back();
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

inline Strings split_at(const std::string& text, char separator) {
  Strings parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The fields of a signature as sacreBLEU prints them between nrefs and version.
inline std::string fields_of(const metrics::Metric& metric, bool brief = false) {
  std::string text;
  for (const auto& field : metric.signature())
    text += (text.empty() ? "" : "|") + (brief ? field.letters : field.name) + ":" + field.value;
  return text;
}

/// The same of a signature of sacreBLEU.
inline std::string fields_of(const std::string& signature) {
  const auto begin = signature.find('|') + 1;
  return signature.substr(begin, signature.rfind('|') - begin);
}

/// Checks sacreBLEU's scores of the systems of newstest2017 (wmt17-ende-systems/expected.jsonl) in
/// those cases that `cases` has settings for; returns how many there were.
template <class Metric, class Settings>
std::size_t check_newstest2017(const std::string& path,
                               const std::map<std::string, Settings>& cases) {
  const auto directory = path.substr(0, path.rfind('/') + 1);
  const auto reference = lines_of(read_conformance(directory + "ref.de.gz"));
  std::size_t seen = 0;
  for (const auto& line : read_json_lines(path)) {
    const auto found = cases.find(line["case"]);
    if (found == cases.end()) continue;
    ++seen;
    INFO(line["system"] << " " << line["case"]);
    const auto hypotheses =
        lines_of(read_conformance(directory + line["system"].get<std::string>() + ".gz"));
    const auto score = score_of(Metric(found->second), hypotheses, {reference});
    CHECK(std::abs(score - line["score"].get<double>()) < 1e-9);
  }
  return seen;
}

}  // namespace awend::tests
