// VkResult turned into Error: the one place where a failed call becomes a sentence.
#pragma once

#include <string_view>

#include "vulkan/functions.hpp"

namespace awend::vulkan {

/// Returns if `result` is VK_SUCCESS; else throws Error naming `call`, with advice for a lost
/// device or lack of memory.
void require(VkResult result, std::string_view call);

}  // namespace awend::vulkan
