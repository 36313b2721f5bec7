// Where operations are computed.  On a device of type CPU, the host can compute them in place of
// the kernels of a program, which is several times as fast as kernels compiled by lavapipe.
#pragma once

#include "base/field.hpp"

namespace awend::nn {

enum class Products {
  kAuto,    ///< On the host for devices of type CPU, otherwise by kernels.
  kHost,    ///< On the host if all operands are fp32, otherwise by kernels.
  kShader,  ///< By kernels.
};

inline constexpr base::Word<Products> kProductsWords[] = {
    {Products::kAuto, "auto"}, {Products::kHost, "host"}, {Products::kShader, "shader"}};

}  // namespace awend::nn
