#include "vulkan/bfloat16.hpp"

#include <spirv/unified1/spirv.hpp>

namespace awend::vulkan {
namespace {

// SPV_KHR_bfloat16, which the header of Debian 12 does not have.
constexpr std::uint32_t kBfloat16Type = 5116, kBfloat16CooperativeMatrix = 5118;
constexpr std::uint32_t kBfloat16Encoding = 0;
constexpr std::size_t kHeaderWords = 5;

std::uint32_t first_word(std::uint32_t operation, std::uint32_t words) {
  return words << 16 | operation;
}

}  // namespace

std::vector<std::uint32_t> as_bfloat16(std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> result(words.begin(), words.begin() + kHeaderWords);
  const auto add = [&](std::initializer_list<std::uint32_t> words_to_add) {
    result.insert(result.end(), words_to_add);
  };
  bool extended = false;
  for (std::size_t at = kHeaderWords; at < words.size(); at += words[at] >> 16) {
    const auto instruction = words.subspan(at, words[at] >> 16);
    const std::uint32_t operation = instruction[0] & 0xffff;
    if (operation != spv::OpCapability && !extended) {
      // "SPV_KHR_bfloat16", four characters in a word, and a null word.
      add({first_word(spv::OpExtension, 6), 0x5f565053, 0x5f52484b, 0x6f6c6662, 0x36317461, 0});
      extended = true;
    }
    if (operation == spv::OpCapability && instruction[1] == spv::CapabilityFloat16) {
      add({first_word(spv::OpCapability, 2), kBfloat16Type});
      add({first_word(spv::OpCapability, 2), kBfloat16CooperativeMatrix});
    } else if (operation == spv::OpTypeFloat && instruction[2] == 16) {
      add({first_word(spv::OpTypeFloat, 4), instruction[1], 16, kBfloat16Encoding});
    } else {
      result.insert(result.end(), instruction.begin(), instruction.end());
    }
  }
  return result;
}

}  // namespace awend::vulkan
