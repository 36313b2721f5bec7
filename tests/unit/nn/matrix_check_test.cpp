// The comparison of results of matrix units and portable kernels.
#include "nn/matrix_check.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"

namespace awend::nn {

TEST_CASE("results agree up to a tolerance relative to the largest", "[matrix]") {
  const std::vector<float> portable = {1, -10, 0, 3};
  CHECK(results_agree(portable, portable, 0));
  std::vector<float> units = portable;
  units[2] = 0.009f;
  CHECK(results_agree(units, portable, 1e-3));
  units[2] = 0.011f;
  CHECK_FALSE(results_agree(units, portable, 1e-3));
  for (const float bad : {NAN, INFINITY}) {
    units = portable;
    units[0] = bad;
    CHECK_FALSE(results_agree(units, portable, 1));
  }
}

}  // namespace awend::nn
