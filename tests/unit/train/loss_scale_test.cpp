// The loss scale decreases after an overflow and increases after many updates without one.
#include "train/loss_scale.hpp"

#include "tests/catch.hpp"

namespace awend::train {
namespace {

constexpr auto kHalf = nn::Element::kFloat16;

TEST_CASE("only fp16 scales the loss", "[loss_scale]") {
  for (const auto element : {nn::Element::kFloat32, nn::Element::kBfloat16}) {
    LossScale scale = first_scale(element);
    CHECK(scale.value == 1);
    CHECK_FALSE(scale.can_fall());
    CHECK(next_scale(scale, element, false).value == 1);
  }
  CHECK(first_scale(kHalf).value == 65536);
}

TEST_CASE("each overflow halves the scale, down to one", "[loss_scale]") {
  LossScale scale = first_scale(kHalf);
  for (int i = 0; i < 16; ++i) {
    CHECK(scale.can_fall());
    scale = next_scale(scale, kHalf, false);
  }
  CHECK(scale.value == 1);
  CHECK_FALSE(scale.can_fall());
  CHECK(next_scale(scale, kHalf, false).value == 1);
}

TEST_CASE("two thousand good updates in a row double it, up to a bound", "[loss_scale]") {
  LossScale scale = first_scale(kHalf);
  for (int i = 0; i < 1999; ++i) scale = next_scale(scale, kHalf, true);
  CHECK(scale.value == 65536);
  scale = next_scale(scale, kHalf, true);
  CHECK(scale.value == 131072);
  CHECK(scale.updates == 0);
  // An overflow resets the count.
  for (int i = 0; i < 1999; ++i) scale = next_scale(scale, kHalf, true);
  scale = next_scale(scale, kHalf, false);
  CHECK(scale.value == 65536);
  scale = next_scale(scale, kHalf, true);
  CHECK(scale.value == 65536);
  for (int i = 0; i < 100000; ++i) scale = next_scale(scale, kHalf, true);
  CHECK(scale.value == 16777216);
}

}  // namespace
}  // namespace awend::train
