#include "align/aligner.hpp"

#include <algorithm>

namespace awend::align {

Aligner::Aligner(const Bitext& bitext, const AlignerSettings& settings, const Priors& priors,
                 const std::function<void(double)>& progress)
    : bitext_(bitext), symmetrization_(settings.symmetrization) {
  const bool uses_forward = symmetrization_ != Symmetrization::kReverse;
  const bool uses_reverse = symmetrization_ != Symmetrization::kForward;
  const int all = (settings.model.diagonal_iterations + settings.model.markov_iterations) *
                  (uses_forward && uses_reverse ? 2 : 1);
  int before = 0;
  const auto report = [&](int done) { progress(static_cast<double>(before + done) / all); };
  if (uses_forward) {
    forward_.emplace(bitext, Direction::kForward, settings.model, priors.forward, report);
    before = all / 2;
  }
  if (uses_reverse)
    reverse_.emplace(bitext, Direction::kReverse, settings.model, priors.reverse, report);
}

Aligner::Aligned Aligner::align(std::size_t i, PairAligner& scratch) const {
  const auto pair = bitext_[i];
  std::vector<int> forward(pair.target.size(), -1), reverse(pair.source.size(), -1);
  double sum = 0;
  std::size_t words = 0;
  const auto use = [&](const std::optional<DirectedModel>& model, std::vector<int>& sources) {
    if (!model) return;
    auto alignment = model->align(i, scratch);
    sum += alignment.log_probability;
    words += alignment.sources.size();
    sources = std::move(alignment.sources);
  };
  use(forward_, forward);
  use(reverse_, reverse);
  Aligned aligned{.links = symmetrize({forward, reverse}, symmetrization_)};
  if (!pair.source.empty() && !pair.target.empty())
    aligned.score = sum / static_cast<double>(words);
  return aligned;
}

Priors Aligner::counts(const Priors& prior) {
  Priors all;
  if (forward_) all.forward = forward_->counts(prior.forward);
  if (reverse_) all.reverse = reverse_->counts(prior.reverse);
  return all;
}

}  // namespace awend::align
