// How the distributions of several models are combined (nn/mixture.hpp).
#pragma once

namespace awend::nn {

enum class Mixing {
  kLinear,  ///< Σ w p
  kLog,     ///< Π p^w; a later softmax normalizes it
};

}  // namespace awend::nn
