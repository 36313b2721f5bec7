#include "tests/shared_engine.hpp"

#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "tests/catch.hpp"

namespace awend::tests {
namespace {

constexpr unsigned kThreads = 2;

std::unique_ptr<nn::Engine>& holder() {
  static std::unique_ptr<nn::Engine> engine;
  return engine;
}

std::vector<std::function<void()>>& users() {
  static std::vector<std::function<void()>> users;
  return users;
}

/// Destroys the device before main() returns: later, SwiftShader and the validation layer of 2026
/// have destroyed their own tables already, and destroying a device crashes or hangs.
class EndOfEngine : public Listener {
 public:
  using Listener::Listener;
  void testRunEnded(const Catch::TestRunStats& /*stats*/) override {
    for (const auto& destroy : users()) destroy();
    holder().reset();
  }
};
CATCH_REGISTER_LISTENER(EndOfEngine)

}  // namespace

nn::Engine& shared_engine() {
  if (!holder()) {
    const char* requested = std::getenv("AWEND_DEVICE");
    holder() = std::make_unique<nn::Engine>(
        nn::DeviceChoice{.requested = requested == nullptr ? "" : requested, .threads = kThreads});
  }
  return *holder();
}

nn::Engine& shared_processor() {
  static nn::Engine engine({.requested = nn::kProcessor, .threads = kThreads});
  return engine;
}

void before_end_of_engine(std::function<void()> destroy) {
  users().push_back(std::move(destroy));
}

}  // namespace awend::tests
