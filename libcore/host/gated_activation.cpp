// Gated activation functions on the CPU; the formulas are in shaders/op_gated_activation.comp.
// Test: tests/unit/host/rows_test.cpp, tests/kernels/activation_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include "host/rows.hpp"
#include "shaders/op_gated_activation.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/gated_activation.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/activations-inl.h"
#include "host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void gate_rows(const GatedActivation& g, std::size_t begin, std::size_t end) {
  const std::size_t first = begin * g.columns;
  with_function(g.function, [&](auto function) HWY_ATTR {
    for_vectors((end - begin) * g.columns, [&](auto d, std::size_t i) HWY_ATTR {
      const std::size_t at = first + i;
      const auto share = function(d, hn::LoadU(d, g.z + at)).y;
      hn::StoreU(hn::Mul(share, hn::LoadU(d, g.x + at)), d, g.y + at);
    });
  });
}

void gate_backward_rows(const GatedActivationBackward& g, std::size_t begin, std::size_t end) {
  const std::size_t first = begin * g.columns;
  with_function(g.function, [&](auto function) HWY_ATTR {
    for_vectors((end - begin) * g.columns, [&](auto d, std::size_t i) HWY_ATTR {
      const std::size_t at = first + i;
      const auto [y, derivative] = function(d, hn::LoadU(d, g.z + at));
      const auto dy = hn::LoadU(d, g.dy + at);
      const auto change = hn::Mul(hn::Mul(dy, hn::LoadU(d, g.x + at)), derivative);
      hn::StoreU(change, d, g.dz + at);
      hn::StoreU(hn::Mul(dy, y), d, g.dx + at);
    });
  });
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(gate_rows);
HWY_EXPORT(gate_backward_rows);

void gated_activation(ThreadPool& pool, const GatedActivation& gated) {
  for_rows(pool, gated.rows_count.rows(), 4 * gated.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(gate_rows)(gated, begin, end);
           });
}

void gated_activation_backward(ThreadPool& pool, const GatedActivationBackward& backward) {
  for_rows(pool, backward.rows_count.rows(), 4 * backward.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(gate_backward_rows)(backward, begin, end);
           });
}

}  // namespace awend::host
#endif
