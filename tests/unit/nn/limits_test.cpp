// TokenConstraints held against limits made by hand; no device is asked.
#include "nn/limits.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::nn {
namespace {

vulkan::Limits small_limits() {
  vulkan::Limits limits{};
  limits.storage_range_bytes = 4000;
  limits.allocation_bytes = 8000;
  limits.workgroup_counts = {100, 10, 10};
  return limits;
}

template <class Check>
std::string refusal(Check check) {
  return tests::message_of(check);
}

TEST_CASE("a demand that just fits is met", "[limits]") {
  const auto limits = small_limits();
  CHECK_NOTHROW(check_allocation(limits, {"k", 20, 100}));
  CHECK_NOTHROW(check_binding(limits, {"k", 10, 100}));
  CHECK_NOTHROW(check_workgroups(limits, {"k", 5, 100}, {100, 10}));
}

TEST_CASE("a tensor beyond one allocation names shape, limit and option", "[limits]") {
  CHECK(refusal([] {
          check_allocation(small_limits(), {"", 21, 100, kSmallerBeam});
        }) ==
        "a tensor of 21 x 100 needs 8400 bytes, more than this device allocates at once "
        "(maxMemoryAllocationSize, at most 1 GiB: 8000 bytes); reduce the number of "
        "tokens in a batch or the beam size");
  // 2^32 rows and more of a table do not wrap around.
  CHECK_THROWS(check_allocation(small_limits(), {"", 0x40000000, 4}));
}

TEST_CASE("a tensor beyond one binding names the descriptor's limit", "[limits]") {
  CHECK(
      refusal([] {
        check_binding(small_limits(), {"loss", 11, 100, kSmallerModel});
      }) ==
      "kernel loss: a tensor of 11 x 100 needs 4400 bytes, more than a kernel can address on this "
      "device (maxStorageBufferRange: 4000 bytes); reduce d_model, d_ff or the "
      "size of the vocabulary");
}

TEST_CASE("each axis has its own number of workgroups", "[limits]") {
  CHECK(refusal([] {
          check_workgroups(small_limits(), {"attention", 101, 4}, {101, 1});
        }) ==
        "kernel attention: a tensor of 101 x 4 needs 101 workgroups along x, more than this device "
        "launches (maxComputeWorkGroupCount: 100); reduce the number of tokens in a batch");
  CHECK(refusal([] {
          check_workgroups(small_limits(), {"attention", 1, 4}, {1, 11});
        }).starts_with("kernel attention: a tensor of 1 x 4 needs 11 workgroups along y"));
}

}  // namespace
}  // namespace awend::nn
