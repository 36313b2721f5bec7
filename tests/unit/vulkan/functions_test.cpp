// The loader and its functions.  For programs without a loader, see tests/cli/no_loader.sh.
#include "vulkan/functions.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::vulkan {
namespace {

TEST_CASE("a library that does not exist is named in the error", "[vulkan]") {
  const auto message = tests::message_of([] { open_library("libawend-nonesuch.so.1"); });
  CHECK(message ==
        "libawend-nonesuch.so.1: cannot open shared object file: No such file or directory");
}

TEST_CASE("a file that is not a library is named in the error", "[vulkan]") {
  const tests::Scratch scratch;
  scratch.write("libbroken.so.1", "no library");
  const auto message = tests::message_of([&] { open_library(scratch.path("libbroken.so.1")); });
  CHECK(message.starts_with(scratch.path("libbroken.so.1") + ": "));
}

TEST_CASE("functions are loaded once", "[vulkan]") {
  load_functions();
  const auto first = vkCreateInstance;
  REQUIRE(first != nullptr);
  REQUIRE(vkCmdPipelineBarrier2 != nullptr);
  load_functions();
  CHECK(vkCreateInstance == first);
}

}  // namespace
}  // namespace awend::vulkan
