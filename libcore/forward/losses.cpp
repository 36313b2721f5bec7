#include "forward/losses.hpp"

#include <cmath>

namespace awend::forward {

Losses& Losses::operator+=(const Losses& other) {
  smoothed += other.smoothed;
  negative_log_likelihood += other.negative_log_likelihood;
  tokens += other.tokens;
  return *this;
}

double Losses::perplexity() const {
  return std::exp(negative_log_likelihood / static_cast<double>(tokens));
}

}  // namespace awend::forward
