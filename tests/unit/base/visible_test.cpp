#include "base/visible.hpp"

#include "tests/catch.hpp"

namespace {

using awend::base::visible;

TEST_CASE("text for a terminal cannot control it", "[report]") {
  CHECK(visible("a\tb \u00E4 \u05D0 \u3042") == "a\tb \u00E4 \u05D0 \u3042");
  CHECK(visible("\x1b[31m\r\n\x7f") == R"(\x1B[31m\x0D\x0A\x7F)");
  CHECK(visible("\u009B31m \u009D0;x \u0085") == R"(\xC2\x9B31m \xC2\x9D0;x \xC2\x85)");
  CHECK(visible("a\u202Etxt.exe \u2066") == R"(a\xE2\x80\xAEtxt.exe \xE2\x81\xA6)");
  CHECK(visible("\xff\xe4") == "\xff\xe4");
}

}  // namespace
