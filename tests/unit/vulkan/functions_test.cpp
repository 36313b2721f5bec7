// The loader and its functions; that a program goes on without them is tests/cli/no_loader.sh.
#include "vulkan/functions.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::vulkan {
namespace {

TEST_CASE("a library that is not there is named", "[vulkan]") {
  const auto said = tests::message_of([] { open_library("libawend-nonesuch.so.1"); });
  CHECK(said ==
        "libawend-nonesuch.so.1: cannot open shared object file: No such file or directory");
}

TEST_CASE("a library that is none is named", "[vulkan]") {
  const tests::Scratch scratch;
  scratch.write("libbroken.so.1", "no library");
  const auto said = tests::message_of([&] { open_library(scratch.path("libbroken.so.1")); });
  CHECK(said.starts_with(scratch.path("libbroken.so.1") + ": "));
}

TEST_CASE("functions are found once, and stay", "[vulkan]") {
  load_functions();
  const auto first = vkCreateInstance;
  REQUIRE(first != nullptr);
  REQUIRE(vkCmdPipelineBarrier2 != nullptr);
  load_functions();
  CHECK(vkCreateInstance == first);
}

}  // namespace
}  // namespace awend::vulkan
