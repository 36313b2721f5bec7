#include "forward/losses.hpp"

#include <cmath>

namespace awend::forward {

Losses& Losses::operator+=(const Losses& other) {
  smoothed += other.smoothed;
  negative_log_likelihood += other.negative_log_likelihood;
  tokens += other.tokens;
  of_sentences += other.of_sentences;
  sentences += other.sentences;
  of_alignments += other.of_alignments;
  return *this;
}

double Losses::loss() const {
  const double of_token = (smoothed + of_alignments) / static_cast<double>(tokens);
  return sentences == 0 ? of_token : of_token + of_sentences / static_cast<double>(sentences);
}

double Losses::perplexity() const {
  return std::exp(negative_log_likelihood / static_cast<double>(tokens));
}

}  // namespace awend::forward
