#include "metrics/alignment_errors.hpp"

#include <set>

namespace awend::metrics {

void AlignmentErrors::add(const text::WordAlignment& hypothesis, const text::WordAlignment& gold) {
  std::set<text::Link> links(hypothesis.sure.begin(), hypothesis.sure.end());
  links.insert(hypothesis.possible.begin(), hypothesis.possible.end());
  const std::set<text::Link> sure(gold.sure.begin(), gold.sure.end());
  std::set<text::Link> possible(gold.possible.begin(), gold.possible.end());
  possible.insert(sure.begin(), sure.end());
  links_ += links.size();
  sure_ += sure.size();
  for (const auto& link : links) {
    sure_hits_ += sure.count(link);
    possible_hits_ += possible.count(link);
  }
}

double AlignmentErrors::rate() const {
  if (links_ + sure_ == 0) return 0;
  return 1 - static_cast<double>(sure_hits_ + possible_hits_) / static_cast<double>(links_ + sure_);
}

}  // namespace awend::metrics
