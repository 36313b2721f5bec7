#include "metrics/ter/ter.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "metrics/python_space.hpp"
#include "metrics/real_rows.hpp"
#include "metrics/ter/edits.hpp"
#include "metrics/word_ids.hpp"

namespace awend::metrics {
namespace {

class TerWorker : public MetricWorker {
 public:
  explicit TerWorker(const TerSettings& settings) : settings_(settings) {}

  void set_references(std::span<const std::string_view> references) override {
    base::check(!references.empty(), "a line has a reference");
    ids_.clear();
    if (references_.size() < references.size()) references_.resize(references.size());
    count_ = references.size();
    std::size_t words = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      auto& reference = references_[i];
      reference.words.clear();
      for_each_python_word(reference_text(references[i]), [&](std::string_view word) {
        reference.words.push_back(ids_.add(word));
      });
      reference.edits.set_reference(reference.words);
      words += reference.words.size();
    }
    mean_length_ = static_cast<double>(words) / static_cast<double>(count_);
  }

  void measure(std::string_view hypothesis, std::span<std::int64_t> statistics) override {
    base::check(count_ > 0, "a line has a reference");
    words_.clear();
    for_each_python_word(ter_text(hypothesis, settings_, buffer_),
                         [&](std::string_view word) { words_.push_back(ids_.find(word)); });
    auto smallest = references_[0].edits.count(words_);
    for (std::size_t i = 1; i < count_; ++i)
      smallest = std::min(smallest, references_[i].edits.count(words_));
    statistics[0] = bits_of(static_cast<double>(smallest));
    statistics[1] = bits_of(mean_length_);
  }

 private:
  struct Reference {
    std::vector<std::uint32_t> words;
    TerEdits edits;
  };

  // sacreBLEU normalizes references twice, and hypotheses once.  This matters if the second pass
  // finds more to separate, such as the 's of "Anna's, too".
  std::string_view reference_text(std::string_view line) {
    const auto once = ter_text(line, settings_, buffer_);
    if (!settings_.normalized) return once;
    once_.clear();
    for_each_python_word(once, [this](std::string_view word) {
      if (!once_.empty()) once_ += ' ';
      once_ += word;
    });
    return ter_text(once_, settings_, buffer_);
  }

  TerSettings settings_;
  WordIds ids_;
  std::vector<Reference> references_;  // allocated for the longest list so far
  std::size_t count_ = 0;
  double mean_length_ = 0;
  std::vector<std::uint32_t> words_;
  std::string buffer_, once_;
};

}  // namespace

Score Ter::score(std::span<const std::int64_t> sums) const {
  const double edits = real_of(sums[0]), words = real_of(sums[1]);
  if (words > 0) return {.value = 100 * (edits / words)};
  return {.value = edits > 0 ? 100.0 : 0.0};
}

double Ter::resampled_value(std::span<const std::int64_t> sums) const {
  const auto edits = static_cast<float>(real_of(sums[0]));
  const auto words = static_cast<float>(real_of(sums[1]));
  if (words > 0) return 100 * static_cast<double>(edits / words);
  return edits > 0 ? 100 : 0;
}

std::vector<SignatureField> Ter::signature() const {
  const auto yes_or_no = [](bool yes) { return yes ? "yes" : "no"; };
  return {{"case", "c", settings_.case_sensitive ? "mixed" : "lc"},
          {"tok", "t", "tercom"},
          {"norm", "nr", yes_or_no(settings_.normalized)},
          {"punct", "pn", yes_or_no(!settings_.no_punct)},
          {"asian", "as", yes_or_no(settings_.asian_support)}};
}

std::unique_ptr<MetricWorker> Ter::make_worker() const {
  return std::make_unique<TerWorker>(settings_);
}

}  // namespace awend::metrics
