// Activation functions on the CPU; the formulas are in shaders/op_activation.comp.
// Test: tests/unit/host/rows_test.cpp, tests/kernels/activation_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include "host/rows.hpp"
#include "shaders/op_activation.h"
#include "shaders/op_relu_backward.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/activation.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/activations-inl.h"
#include "host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void activate_rows(const Activation& a, std::size_t begin, std::size_t end) {
  const float* const z = a.z + begin * a.columns;
  float* const y = a.y + begin * a.columns;
  with_function(a.function, [&](auto function) HWY_ATTR {
    for_vectors((end - begin) * a.columns, [&](auto d, std::size_t i) HWY_ATTR {
      hn::StoreU(function(d, hn::LoadU(d, z + i)).y, d, y + i);
    });
  });
}

void activate_backward_rows(const ActivationBackward& a, std::size_t begin, std::size_t end) {
  const float* const z = a.z + begin * a.columns;
  const float* const dy = a.dy + begin * a.columns;
  float* const dz = a.dz + begin * a.columns;
  with_function(a.function, [&](auto function) HWY_ATTR {
    for_vectors((end - begin) * a.columns, [&](auto d, std::size_t i) HWY_ATTR {
      const auto derivative = function(d, hn::LoadU(d, z + i)).derivative;
      const auto change = hn::LoadU(d, dy + i);
      hn::StoreU(a.add != 0 ? hn::MulAdd(change, derivative, hn::LoadU(d, dz + i))
                            : hn::Mul(change, derivative),
                 d, dz + i);
    });
  });
}

void relu_backward_rows(const ReluBackward& r, std::size_t begin, std::size_t end) {
  const float* const y = r.y + begin * r.columns;
  float* const dy = r.dy + begin * r.columns;
  for_vectors((end - begin) * r.columns, [&](auto d, std::size_t i) HWY_ATTR {
    const auto is_positive = hn::Gt(hn::LoadU(d, y + i), hn::Zero(d));
    hn::StoreU(hn::IfThenElseZero(is_positive, hn::LoadU(d, dy + i)), d, dy + i);
  });
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(activate_rows);
HWY_EXPORT(activate_backward_rows);
HWY_EXPORT(relu_backward_rows);

void activation(ThreadPool& pool, const Activation& activation) {
  for_rows(pool, activation.rows_count.rows(), 4 * activation.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(activate_rows)(activation, begin, end);
           });
}

void activation_backward(ThreadPool& pool, const ActivationBackward& backward) {
  for_rows(pool, backward.rows_count.rows(), 4 * backward.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(activate_backward_rows)(backward, begin, end);
           });
}

void relu_backward(ThreadPool& pool, const ReluBackward& backward) {
  for_rows(pool, backward.rows_count.rows(), backward.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(relu_backward_rows)(backward, begin, end);
           });
}

}  // namespace awend::host
#endif
