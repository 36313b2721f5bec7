#include "base/parallel.hpp"

namespace awend::base {

void run_on_threads(unsigned threads, const std::function<void(unsigned)>& body) {
  std::mutex mutex;
  std::exception_ptr error;
  auto guarded = [&](unsigned worker) {
    try {
      body(worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  std::vector<std::jthread> others;  // which join whatever happens
  for (unsigned worker = 1; worker < threads; ++worker) others.emplace_back(guarded, worker);
  guarded(0);
  for (std::jthread& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace awend::base
