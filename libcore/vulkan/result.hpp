// Errors of Vulkan calls.  Test: tests/unit/vulkan/result_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "vulkan/functions.hpp"

namespace awend::vulkan {

/// Throws Error with `call` unless `result` is VK_SUCCESS, with advice for a lost device or lack of
/// memory.
void require(VkResult result, std::string_view call);

/// The message about a lost device: what happened, and that the command can be repeated.
std::string lost_device(std::string_view name, std::string_view call);

}  // namespace awend::vulkan
