// The last test in alphabetical order: with AWEND_VALIDATION=1, the validation layer, including
// synchronization checks, has reported nothing.
#include "tests/kernels/bench.hpp"

namespace awend::tests {
namespace {

#if __has_include(<catch2/catch_all.hpp>)  // Catch2 3; Debian 12, with 2, has an older layer
/// Destroys the device before main() returns: later, the validation layer of 2026 has destroyed its
/// own tables already, and destroying a device crashes or hangs.
class EndOfEngine : public Catch::EventListenerBase {
 public:
  using EventListenerBase::EventListenerBase;
  void testRunEnded(const Catch::TestRunStats& /*stats*/) override { shared_engine().reset(); }
};
CATCH_REGISTER_LISTENER(EndOfEngine)
#endif

}  // namespace

TEST_CASE("zz: the validation layer has no message") {
  if (!engine().device.instance().validates()) SKIP("AWEND_VALIDATION is not 1");
  REQUIRE(engine().device.instance().validation_messages() == 0);
}

}  // namespace awend::tests
