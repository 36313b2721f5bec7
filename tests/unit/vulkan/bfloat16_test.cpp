// Modules for bf16 made from those for fp16: what changes, what does not, and that a compiler that
// supports bf16 makes the same.
#include "vulkan/bfloat16.hpp"

#include <cstdlib>
#include <fstream>
#include <set>

#include "base/concat.hpp"
#include "shaders/embedded.hpp"
#include "tests/catch.hpp"
#include "vulkan/spirv.hpp"

namespace awend::vulkan {
namespace {

using Words = std::vector<std::uint32_t>;

/// The instructions of the preamble, whose order has no meaning, and all others in order.
struct Instructions {
  std::multiset<Words> preamble;
  std::vector<Words> others;

  bool operator==(const Instructions&) const = default;
};

Instructions instructions_of(std::span<const std::uint32_t> words) {
  constexpr std::uint32_t extension = 10, capability = 17;
  Instructions instructions;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    const auto part = words.subspan(at, words[at] >> 16);
    const std::uint32_t operation = part[0] & 0xffff;
    if (operation == capability || operation == extension) {
      instructions.preamble.emplace(part.begin(), part.end());
    } else {
      instructions.others.emplace_back(part.begin(), part.end());
    }
  }
  return instructions;
}

}  // namespace

TEST_CASE("a module for fp16 becomes one for bf16", "[spirv]") {
  const Words float16_capability = {2u << 16 | 17, 9}, bfloat16_capability = {2u << 16 | 17, 5116};
  for (const auto& kernel : shaders::matrix_kernels()) {
    CAPTURE(kernel.name);
    const auto before = instructions_of(kernel.float16);
    const auto after = instructions_of(as_bfloat16(kernel.float16));
    // One capability is replaced by two and an extension.
    CHECK(after.preamble.size() == before.preamble.size() + 2);
    CHECK(before.preamble.contains(float16_capability));
    CHECK_FALSE(after.preamble.contains(float16_capability));
    CHECK(after.preamble.contains(bfloat16_capability));
    // One type has a different encoding.
    REQUIRE(after.others.size() == before.others.size());
    std::vector<Words> changed;
    for (std::size_t i = 0; i < after.others.size(); ++i) {
      if (after.others[i] != before.others[i]) changed.push_back(after.others[i]);
    }
    REQUIRE(changed.size() == 1);
    CHECK(changed[0] == Words{4u << 16 | 22, changed[0][1], 16, 0});
    CHECK_NOTHROW(reflect(as_bfloat16(kernel.float16), kernel.name));
  }
}

TEST_CASE("a compiler that supports bf16 makes the same module", "[spirv][bf16]") {
  for (const auto& kernel : shaders::matrix_kernels()) {
    if (kernel.bfloat16.empty()) SKIP("the GLSL compiler of this build does not support bf16");
    CAPTURE(kernel.name);
    CHECK(instructions_of(as_bfloat16(kernel.float16)) == instructions_of(kernel.bfloat16));
  }
}

TEST_CASE("modules are written for spirv-val", "[spirv][modules]") {
  const char* directory = std::getenv("AWEND_MODULES");  // set by tests/matrix.sh
  if (directory == nullptr) SKIP("AWEND_MODULES is not set");
  for (const auto& kernel : shaders::matrix_kernels()) {
    const auto words = as_bfloat16(kernel.float16);
    std::ofstream file(base::concat(directory, "/", kernel.name, ".rewritten"), std::ios::binary);
    file.write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size() * sizeof(std::uint32_t)));
    CHECK(file.flush());
  }
}

}  // namespace awend::vulkan
