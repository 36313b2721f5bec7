// Reflection of all embedded kernels, without a device: bindings, push constants and specialization
// constants that all launches rely on.
#include "shaders/embedded.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "vulkan/spirv.hpp"

namespace awend::vulkan {
namespace {

TEST_CASE("all kernels have the interface that launches expect", "[spirv]") {
  const auto kernels = shaders::embedded_kernels();
  REQUIRE(kernels.size() > 15);
  for (const auto& kernel : kernels) {
    CAPTURE(kernel.name);
    const auto storage = kernel.words(shaders::Buffers::kStorage);
    const Reflection reflection = reflect(storage, kernel.name);
    REQUIRE(reflection.bindings.size() >= 2);
    // Binding 0 is the buffer of counts, which only the host writes.
    CHECK_FALSE(reflection.bindings.at(0).written);
    bool writes = false;
    for (const auto& [number, binding] : reflection.bindings) writes |= binding.written;
    CHECK(writes);
    // Constant 0 is the subgroup size; the others follow without a gap.
    REQUIRE_FALSE(reflection.specialization_ids.empty());
    CHECK(*reflection.specialization_ids.begin() == 0);
    CHECK(*reflection.specialization_ids.rbegin() == reflection.specialization_ids.size() - 1);
    // All devices support 128 bytes.
    CHECK(reflection.push_constant_bytes > 0);
    CHECK(reflection.push_constant_bytes <= 128);
    CHECK(reflection.push_constant_bytes % 4 == 0);
    // Only kernels with tiles in shared memory wait for other subgroups.
    CHECK(reflection.uses_barrier == reflection.uses_shared_memory);
  }
}

TEST_CASE("both modules of a kernel have the same interface", "[spirv]") {
  for (const auto& kernel : shaders::embedded_kernels()) {
    CAPTURE(kernel.name);
    const auto reflection_of = [&](shaders::Buffers buffers) {
      return reflect(kernel.words(buffers), kernel.name);
    };
    const Reflection contract = reflection_of(shaders::Buffers::kStorage);
    const Reflection address = reflection_of(shaders::Buffers::kAddress);
    for (const auto& [number, binding] : address.bindings) {
      CAPTURE(number);
      CHECK(binding.written == contract.bindings.at(number).written);
    }
    const auto last = contract.bindings.rbegin()->first;
    CHECK(address.push_constant_bytes >=
          (contract.push_constant_bytes + 7) / 8 * 8 + 8 * (last + 1));
    CHECK(address.push_constant_bytes <= 256);
    CHECK(address.specialization_ids == contract.specialization_ids);
  }
}

TEST_CASE("kernels for matrix units have the interface that launches expect", "[spirv]") {
  REQUIRE_FALSE(shaders::matrix_kernels().empty());
  for (const auto& kernel : shaders::matrix_kernels()) {
    CAPTURE(kernel.name);
    const Reflection reflection = reflect(kernel.float16, kernel.name);
    CHECK_FALSE(reflection.bindings.at(0).written);
    CHECK(*reflection.specialization_ids.begin() == 0);
    CHECK(*reflection.specialization_ids.rbegin() == reflection.specialization_ids.size() - 1);
    CHECK(reflection.push_constant_bytes > 0);
    CHECK(reflection.push_constant_bytes <= 128);
    // A workgroup has several subgroups, which share memory.
    CHECK(reflection.uses_barrier);
  }
}

TEST_CASE("matrix products have the same interface with and without matrix units", "[spirv]") {
  const auto portable = std::ranges::find(shaders::embedded_kernels(), "matmul_nn_shared_16",
                                          &shaders::EmbeddedKernel::name);
  const auto matrix =
      std::ranges::find(shaders::matrix_kernels(), "matmul_matrix", &shaders::MatrixKernel::name);
  REQUIRE(portable != shaders::embedded_kernels().end());
  REQUIRE(matrix != shaders::matrix_kernels().end());
  const auto expected = reflect(portable->words(shaders::Buffers::kStorage), portable->name);
  const auto actual = reflect(matrix->float16, matrix->name);
  CHECK(actual.push_constant_bytes == expected.push_constant_bytes);
  REQUIRE(actual.bindings.size() == expected.bindings.size());
  for (const auto& [number, binding] : expected.bindings) {
    CHECK(actual.bindings.at(number).written == binding.written);
  }
}

TEST_CASE("names of kernels are unique", "[spirv]") {
  std::set<std::string_view> names;
  for (const auto& kernel : shaders::embedded_kernels()) CHECK(names.insert(kernel.name).second);
  for (const auto& kernel : shaders::matrix_kernels()) CHECK(names.insert(kernel.name).second);
}

TEST_CASE("words that are not a SPIR-V module are refused", "[spirv]") {
  const auto& words = shaders::embedded_kernels().front().words(shaders::Buffers::kStorage);
  const auto refusal = [](std::span<const std::uint32_t> module) {
    return tests::message_of([&] { reflect(module, "k"); });
  };
  CHECK(refusal({}) == "kernel k: not SPIR-V");
  std::vector<std::uint32_t> foreign(words.begin(), words.end());
  foreign[0] = 0x464c457f;
  CHECK(refusal(foreign) == "kernel k: not SPIR-V");
  // Five words of header, one of the first instruction, which is longer.
  CHECK(refusal(words.first(6)) == "kernel k: truncated SPIR-V");
  std::vector<std::uint32_t> endless(words.begin(), words.end());
  endless[5] = 0;  // an instruction of no length
  CHECK(refusal(endless) == "kernel k: truncated SPIR-V");
}

// A module written by hand: a readonly buffer at binding 3, one that is written at binding
// 1, push constants of two words, a specialization constant and a barrier.
std::vector<std::uint32_t> small_module() {
  std::vector<std::uint32_t> words = {0x07230203, 0x00010600, 0, 100, 0};
  const auto add = [&](std::uint32_t operation, std::vector<std::uint32_t> operands) {
    words.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | operation);
    words.insert(words.end(), operands.begin(), operands.end());
  };
  constexpr std::uint32_t decorate = 71, member_decorate = 72, type_struct = 30, type_pointer = 32,
                          variable = 59;
  constexpr std::uint32_t spec_id = 1, non_writable = 24, binding = 33, set = 34, offset = 35;
  add(decorate, {50, spec_id, 7});
  for (const auto& [id, number] : {std::pair{20u, 3u}, {21u, 1u}}) {
    add(decorate, {id, binding, number});
    add(decorate, {id, set, 0});
  }
  add(member_decorate, {10, 0, non_writable});
  add(member_decorate, {10, 0, offset, 0});
  add(member_decorate, {11, 0, offset, 0});
  add(member_decorate, {12, 0, offset, 0});
  add(member_decorate, {12, 1, offset, 4});
  add(type_struct, {10, 1});
  add(type_struct, {11, 1});
  add(type_struct, {12, 1, 1});
  add(type_pointer, {30, 12, 10});
  add(type_pointer, {31, 12, 11});
  add(type_pointer, {32, 9, 12});
  add(variable, {30, 20, 12});
  add(variable, {31, 21, 12});
  add(variable, {32, 22, 9});
  add(224, {2, 2, 3});
  return words;
}

TEST_CASE("reflection of a module written by hand", "[spirv]") {
  const Reflection reflection = reflect(small_module(), "k");
  REQUIRE(reflection.bindings.size() == 2);
  CHECK(reflection.bindings.at(1).written);
  CHECK_FALSE(reflection.bindings.at(3).written);
  CHECK(reflection.push_constant_bytes == 8);
  CHECK(reflection.specialization_ids == std::set<std::uint32_t>{7});
  CHECK(reflection.uses_barrier);
}

TEST_CASE("a buffer in another descriptor set is refused", "[spirv]") {
  auto words = small_module();
  constexpr std::uint32_t descriptor_set = 34;
  const auto at = std::ranges::find(words, descriptor_set);
  REQUIRE(at != words.end());
  at[1] = 1;
  CHECK(tests::message_of([&] { reflect(words, "k"); }) ==
        "kernel k: a buffer outside descriptor set 0");
}

}  // namespace
}  // namespace awend::vulkan
