#include "base/parallel.hpp"

#include <system_error>

#include "base/error.hpp"

namespace awend::base {

std::jthread start_thread(unsigned threads, std::function<void()> body) try {
  return std::jthread(std::move(body));
} catch (const std::system_error& error) {
  // The limit is on processes or memory, of the user or the container.
  fail("cannot start ", threads, " threads: ", error.code().message(), "; use fewer");
}

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
  std::vector<std::jthread> others;  // joined even if an exception is thrown
  for (unsigned worker = 1; worker < threads; ++worker)
    others.push_back(start_thread(threads, [&guarded, worker] { guarded(worker); }));
  guarded(0);
  for (std::jthread& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace awend::base
