// A failed call becomes a sentence that says what happened and what helps.
#include "vulkan/result.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::vulkan {

TEST_CASE("success is silent") {
  REQUIRE_NOTHROW(require(VK_SUCCESS, "vkQueueSubmit"));
}

TEST_CASE("a lost device is named, and how to go on") {
  const auto said = tests::message_of([] { require(VK_ERROR_DEVICE_LOST, "vkWaitForFences"); });
  REQUIRE(said.starts_with("the device was lost (vkWaitForFences, VkResult -4): "));
  REQUIRE(said.find("run the same command again") != std::string::npos);
  REQUIRE(lost_device("Arc A770", "vkQueueSubmit").starts_with("Arc A770 was lost (vkQueueSubmit"));
}

TEST_CASE("a lack of memory names the option that needs less") {
  const auto said =
      tests::message_of([] { require(VK_ERROR_OUT_OF_DEVICE_MEMORY, "vkAllocateMemory"); });
  REQUIRE(said.find("reduce the batch size") != std::string::npos);
}

}  // namespace awend::vulkan
