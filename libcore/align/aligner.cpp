#include "align/aligner.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>

#include "base/parallel.hpp"

namespace awend::align {

Aligner::Aligner(const Bitext& bitext, const AlignerSettings& settings, const Priors& priors,
                 const std::function<void(double)>& progress)
    : bitext_(bitext), symmetrization_(settings.symmetrization) {
  const bool uses_forward = symmetrization_ != Symmetrization::kReverse;
  const bool uses_reverse = symmetrization_ != Symmetrization::kForward;
  const int directions = uses_forward && uses_reverse ? 2 : 1;
  const int of_model = settings.model.diagonal_iterations + settings.model.markov_iterations;
  // Sampling takes about as long as the estimation.
  const double all = 2.0 * of_model * directions;
  int before = 0;
  const auto report = [&](int done) { progress((before + done) / all); };
  if (uses_forward) {
    forward_.emplace(bitext, Direction::kForward, settings.model, priors.forward, report);
    before = of_model;
  }
  if (uses_reverse)
    reverse_.emplace(bitext, Direction::kReverse, settings.model, priors.reverse, report);
  sample(priors, settings.model.threads, [&](unsigned done) {
    const auto chains = (forward_ ? *forward_ : *reverse_).chains();
    progress(0.5 + 0.5 * done / (static_cast<double>(chains) * directions));
  });
}

/// Runs the chains of both directions, each on one thread.
void Aligner::sample(const Priors& priors, unsigned threads,
                     const std::function<void(unsigned done)>& progress) {
  std::vector<std::function<void()>> chains;
  const auto add = [&](std::optional<DirectedModel>& model, const PriorCounts& prior) {
    if (!model) return;
    model->begin_chains();
    for (unsigned i = 0; i < model->chains(); ++i)
      chains.emplace_back([&model, &prior, i] { model->run_chain(i, prior); });
  };
  add(forward_, priors.forward);
  add(reverse_, priors.reverse);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  unsigned done = 0;
  base::run_on_threads(std::min<unsigned>(threads, static_cast<unsigned>(chains.size())),
                       [&](unsigned) {
                         for (std::size_t i; (i = next.fetch_add(1)) < chains.size();) {
                           chains[i]();
                           const std::lock_guard lock(mutex);
                           progress(++done);
                         }
                       });
}

std::vector<text::Link> Aligner::align(std::size_t i, DirectedModel::Scratch& scratch) const {
  const auto pair = bitext_[i];
  std::vector<int> forward(pair.target.size(), GibbsChain::kNoLink),
      reverse(pair.source.size(), GibbsChain::kNoLink);
  if (forward_) forward = forward_->align(i, scratch);
  if (reverse_) reverse = reverse_->align(i, scratch);
  return symmetrize({forward, reverse}, symmetrization_);
}

double Aligner::score(std::size_t i, DirectedModel::Scratch& scratch) const {
  const auto pair = bitext_[i];
  if (pair.source.empty() || pair.target.empty()) return -std::numeric_limits<double>::infinity();
  double sum = 0;
  std::size_t words = 0;
  if (forward_) {
    sum += forward_->log_probability(i, scratch.aligner);
    words += pair.target.size();
  }
  if (reverse_) {
    sum += reverse_->log_probability(i, scratch.aligner);
    words += pair.source.size();
  }
  return sum / static_cast<double>(words);
}

Priors Aligner::counts(const Priors& prior) {
  // Those of a direction that is not aligned are kept.
  Priors all = prior;
  if (forward_) all.forward = forward_->counts(prior.forward);
  if (reverse_) all.reverse = reverse_->counts(prior.reverse);
  return all;
}

}  // namespace awend::align
