#include "metrics/bleu/paper_bleu.hpp"

#include <algorithm>
#include <cmath>

#include "base/concat.hpp"
#include "metrics/bleu/word_matches.hpp"
#include "metrics/numbers.hpp"

namespace awend::metrics {
namespace {

constexpr std::size_t kOrders = 4;
constexpr std::size_t kHypothesisWords = 2 * kOrders, kReferenceWords = kHypothesisWords + 1;

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

class PaperBleuWorker : public MetricWorker {
 public:
  explicit PaperBleuWorker(const PaperBleuSettings& settings) : settings_(settings) {}

  void set_references(std::span<const std::string_view> references) override {
    matches_.clear();
    for (const auto reference : references) {
      read(reference);
      matches_.add_reference(words_);
    }
  }

  void measure(std::string_view hypothesis, std::span<std::int64_t> statistics) override {
    read(hypothesis);
    matches_.count(words_, statistics.first(kOrders), statistics.subspan(kOrders, kOrders));
    statistics[kHypothesisWords] = static_cast<std::int64_t>(words_.size());
    statistics[kReferenceWords] = matches_.closest_length(words_.size());
  }

 private:
  void read(std::string_view line) {
    text_ = settings_.split_compounds ? split_compounds(line) : std::string(line);
    if (settings_.lowercase) {
      for (char& c : text_) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    words_.clear();
    const std::string_view text = text_;
    for (std::size_t i = 0; i < text.size();) {
      const auto begin = i;
      while (i < text.size() && !is_space(text[i])) ++i;
      if (i > begin) words_.push_back(text.substr(begin, i - begin));
      while (i < text.size() && is_space(text[i])) ++i;
    }
  }

  PaperBleuSettings settings_;
  WordMatches matches_{kOrders};
  std::vector<std::string_view> words_;  // of text_
  std::string text_;
};

}  // namespace

std::string split_compounds(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    const bool compound =
        i + 2 < text.size() && text[i + 1] == '-' && !is_space(text[i]) && !is_space(text[i + 2]);
    if (!compound) continue;
    out += " ##AT##-##AT## ";
    out += text[i += 2];
  }
  return out;
}

std::string PaperBleu::name() const {
  return settings_.split_compounds ? "paper-BLEU" : "multi-BLEU";
}

Score PaperBleu::score(std::span<const std::int64_t> sums) const {
  const auto hypothesis = sums[kHypothesisWords], reference = sums[kReferenceWords];
  if (reference == 0) return {.details = "0/0/0/0 (BP=0, ratio=0, hyp_len=0, ref_len=0)"};
  const auto ratio = static_cast<double>(hypothesis) / static_cast<double>(reference);
  double penalty = 1;
  if (hypothesis < reference) penalty = hypothesis > 0 ? std::exp(1 - 1 / ratio) : 0;
  double logarithms = 0;
  bool matched = true;
  std::string details;
  for (std::size_t n = 0; n < kOrders; ++n) {
    const auto matches = static_cast<double>(sums[n]),
               total = static_cast<double>(sums[kOrders + n]);
    const auto precision = total > 0 ? matches / total : 0;
    matched = matched && precision > 0;
    if (matched) logarithms += std::log(precision);
    details += (n > 0 ? "/" : "") + fixed(100 * precision, 1);
  }
  return {.value = matched ? 100 * penalty * std::exp(logarithms / kOrders) : 0,
          .details = base::concat(details, " (BP=", fixed(penalty, 3), ", ratio=", fixed(ratio, 3),
                                  ", hyp_len=", hypothesis, ", ref_len=", reference, ")")};
}

std::string PaperBleu::line(std::span<const std::int64_t> sums, std::string_view name) const {
  const auto result = score(sums);
  const auto digits =
      sums[kReferenceWords] == 0 ? 0 : 2;  // multi-bleu then prints 0 without decimals
  return base::concat(name, " = ", fixed(result.value, digits), ", ", result.details);
}

std::vector<SignatureField> PaperBleu::signature() const {
  return {{"case", "c", settings_.lowercase ? "lc-ascii" : "mixed"},
          {"tok", "tok", "given"},
          {"compounds", "cp", settings_.split_compounds ? "split" : "whole"},
          {"smooth", "s", "none"}};
}

std::unique_ptr<MetricWorker> PaperBleu::make_worker() const {
  return std::make_unique<PaperBleuWorker>(settings_);
}

}  // namespace awend::metrics
