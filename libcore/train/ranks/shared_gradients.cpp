#include "train/ranks/shared_gradients.hpp"

#include <thread>

namespace awend::train {
namespace {

// MPI transfers data only during calls, so waits for the device must be short.
constexpr std::uint64_t kPatienceNanoseconds = 50'000;

}  // namespace

void SharedGradients::replay(const std::function<void()>& meanwhile) {
  slices_.replay();
  meanwhile();
  sum();
}

void SharedGradients::add_nothing() {
  slices_.fetch();
  sum();
}

bool SharedGradients::advance() const {
  bool done = true;
  for (const auto& sum : sums_) done = sum->advance() && done;
  return done;
}

void SharedGradients::sum() {
  sums_.clear();
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    while (!slices_.arrived(i, kPatienceNanoseconds)) advance();
    sums_.push_back(ranks_.start_sum(slices_.values(i), static_cast<std::uint32_t>(i)));
  }
  // Other ranks may need the processor.
  while (!advance()) std::this_thread::yield();
  for (std::size_t i = 0; i < slices_.size(); ++i) slices_.put_back(i);
}

}  // namespace awend::train
