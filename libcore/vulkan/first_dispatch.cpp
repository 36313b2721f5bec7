#include "vulkan/first_dispatch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/parallel.hpp"
#include "vulkan/recording.hpp"

namespace awend::vulkan {
namespace {

/// With a warm cache, all kernels are compiled by then, and no additional device is opened.
constexpr std::chrono::milliseconds kHelpDelay{60};

/// Size of the memory that is bound to all operands; no invocation accesses it.
constexpr std::uint64_t kBoundBytes = 256;

void dispatch_nothing(const Device& device, const Range& memory, const Kernel& kernel) {
  const std::vector<Range> bindings(kernel.reflection().bindings.size(), memory);
  const std::vector<std::byte> push_constants(kernel.reflection().push_constant_bytes);
  Recording recording(device);
  recording.dispatch({.kernel = kernel,
                      .bindings = bindings,
                      .push_constants = push_constants,
                      .workgroups = {0, 0, 0},
                      .indirect = std::nullopt});
  recording.replay();
}

/// Lets helpers wait until the work is done, but not longer than kHelpDelay.
class Completion {
 public:
  void finish() {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }
  bool finished_in_time() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kHelpDelay, [&] { return done_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
};

/// Leaves no work to helpers.
struct Finish {
  std::atomic<std::size_t>& next;
  std::size_t count;
  Completion& completion;

  ~Finish() {
    next = count;
    completion.finish();
  }
};

}  // namespace

void compile_by_dispatch(const Device& device, std::span<const KernelKey> keys,
                         std::span<const Kernel* const> kernels) {
  std::atomic<std::size_t> next = 0;
  Completion completion;
  const auto work = [&] {
    const Arena memory(device, MemoryKind::kDevice, kBoundBytes);
    for (std::size_t i = next++; i < keys.size(); i = next++)
      dispatch_nothing(device, memory.range(0, kBoundBytes), *kernels[i]);
  };
  const auto help = [&] {
    if (completion.finished_in_time() || next >= keys.size()) return;
    const Device own(device.info().index,
                     device.instance().validates() ? Validation::kOn : Validation::kOff);
    const Arena memory(own, MemoryKind::kDevice, kBoundBytes);
    for (std::size_t i = next++; i < keys.size(); i = next++) {
      const Kernel kernel(own, keys[i].name, keys[i].constants);
      dispatch_nothing(own, memory.range(0, kBoundBytes), kernel);
    }
  };
  const auto threads = std::min<std::size_t>(base::processor_share(), keys.size());
  base::run_on_threads(static_cast<unsigned>(threads), [&](unsigned worker) {
    if (worker == 0) {
      // Also if it fails: what others would compile then is not used.
      const Finish finish{next, keys.size(), completion};
      return work();
    }
    try {
      help();
    } catch (const base::Error&) {
      // Without a second device, compilation only takes longer.
    }
  });
}

}  // namespace awend::vulkan
