// Where matrix products are computed.  On a device of type CPU, the host can compute them between
// the kernels of a program, which is several times as fast as kernels compiled by lavapipe.
#pragma once

#include "base/field.hpp"

namespace awend::nn {

enum class Products {
  kAuto,    ///< On the host for devices of type CPU, otherwise by kernels.
  kHost,    ///< fp32 products of a useful size on the host; others by kernels.
  kShader,  ///< All by kernels.
};

inline constexpr base::Word<Products> kProductsWords[] = {
    {Products::kAuto, "auto"}, {Products::kHost, "host"}, {Products::kShader, "shader"}};

}  // namespace awend::nn
