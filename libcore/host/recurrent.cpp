// Steps of recurrent networks on the CPU; the formulas are in shaders/op_lstm.comp, op_gru.comp and
// op_feed.comp.
//
// Row i of a step is the sentence of rank i; its token has row table[i] in packed tensors.
// Test: tests/unit/host/operations_test.cpp, tests/kernels/recurrent_test.cpp,
// recurrent_decoder_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include "host/rows.hpp"
#include "shaders/op_feed.h"
#include "shaders/op_gru.h"
#include "shaders/op_lstm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/recurrent.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

/// Calls body(tag, own, packed, column) for vectors of the rows [begin, end): the places of their
/// first columns by rank and packed.
template <class Arguments, class Body>
HWY_INLINE void for_step(const Arguments& step, std::size_t begin, std::size_t end,
                         const Body& body) {
  const std::uint32_t* const table = step.table + step.rows_count.first();
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t packed = table[i];
    for_vectors(step.columns,
                [&](auto d, std::size_t column) HWY_ATTR { body(d, i, packed, column); });
  }
}

/// An operand that is used only if a constant is not 0.
HWY_INLINE const float* used_if(std::size_t constant, const float* operand) {
  return constant != 0 ? operand : nullptr;
}

template <class Tag>
HWY_INLINE hn::Vec<Tag> load_or_zero(Tag d, const float* from, std::size_t at) {
  return from == nullptr ? hn::Zero(d) : hn::LoadU(d, from + at);
}

void lstm_rows(const Lstm& t, std::size_t begin, std::size_t end) {
  const float* const inputs = used_if(t.has_inputs, t.gates);
  const float* const input = used_if(t.has_input, t.input);
  const std::size_t n = t.columns;
  for_step(t, begin, end, [&](auto d, std::size_t i, std::size_t row, std::size_t column) HWY_ATTR {
    const std::size_t own = i * n + column, packed = row * n + column;
    const std::size_t own_gates = 4 * i * n + column, packed_gates = 4 * row * n + column;
    const auto sum = [&](std::size_t gate) HWY_ATTR {
      return hn::Add(hn::Add(hn::LoadU(d, t.hidden + own_gates + gate * n),
                             load_or_zero(d, inputs, packed_gates + gate * n)),
                     load_or_zero(d, input, own_gates + gate * n));
    };
    const auto in = sigmoid(d, sum(0)), forget = sigmoid(d, sum(1));
    const auto value = hyperbolic(d, sum(2)), out = sigmoid(d, sum(3));
    const auto before = hn::LoadU(d, t.c + own);
    const auto c = hn::MulAdd(forget, before, hn::Mul(in, value));
    const auto h = hn::Mul(out, hyperbolic(d, c));
    if (t.keep != 0) {
      hn::StoreU(in, d, t.gates + packed_gates);
      hn::StoreU(forget, d, t.gates + packed_gates + n);
      hn::StoreU(value, d, t.gates + packed_gates + 2 * n);
      hn::StoreU(out, d, t.gates + packed_gates + 3 * n);
      hn::StoreU(hn::LoadU(d, t.h + own), d, t.h_before + packed);
      hn::StoreU(before, d, t.c_before + packed);
    }
    hn::StoreU(c, d, t.c + own);
    hn::StoreU(h, d, t.h + own);
    hn::StoreU(h, d, t.y + packed);
  });
}

void lstm_backward_rows(const LstmBackward& t, std::size_t begin, std::size_t end) {
  const float* const dy = used_if(t.has_dy, t.dy);
  const std::size_t n = t.columns;
  for_step(t, begin, end, [&](auto d, std::size_t i, std::size_t row, std::size_t column) HWY_ATTR {
    const std::size_t own = i * n + column, packed = row * n + column;
    const std::size_t own_gates = 4 * i * n + column, packed_gates = 4 * row * n + column;
    const auto one = hn::Set(d, 1.0F);
    const auto gate = [&](std::size_t index)
                          HWY_ATTR { return hn::LoadU(d, t.gates + packed_gates + index * n); };
    const auto in = gate(0), forget = gate(1), value = gate(2), out = gate(3);
    const auto before = hn::LoadU(d, t.c_before + packed);
    const auto squashed = hyperbolic(d, hn::MulAdd(forget, before, hn::Mul(in, value)));
    const auto dh = hn::Add(hn::LoadU(d, t.dh + own), load_or_zero(d, dy, packed));
    const auto dc = hn::MulAdd(hn::Mul(dh, out), hn::NegMulAdd(squashed, squashed, one),
                               hn::LoadU(d, t.dc + own));
    const auto store = [&](std::size_t index, auto gradient) HWY_ATTR {
      hn::StoreU(gradient, d, t.dgates + packed_gates + index * n);
      hn::StoreU(gradient, d, t.dgates_of_step + own_gates + index * n);
    };
    const auto derivative = [&](auto y) HWY_ATTR { return hn::Mul(y, hn::Sub(one, y)); };
    store(0, hn::Mul(hn::Mul(dc, value), derivative(in)));
    store(1, hn::Mul(hn::Mul(dc, before), derivative(forget)));
    store(2, hn::Mul(hn::Mul(dc, in), hn::NegMulAdd(value, value, one)));
    store(3, hn::Mul(hn::Mul(dh, squashed), derivative(out)));
    hn::StoreU(hn::Mul(dc, forget), d, t.dc + own);
  });
}

void gru_rows(const Gru& t, std::size_t begin, std::size_t end) {
  const float* const inputs = used_if(t.has_inputs, t.gates);
  const float* const input = used_if(t.has_input, t.input);
  const std::size_t n = t.columns;
  for_step(t, begin, end, [&](auto d, std::size_t i, std::size_t row, std::size_t column) HWY_ATTR {
    const std::size_t own = i * n + column, packed = row * n + column;
    const std::size_t own_gates = 3 * i * n + column, packed_gates = 3 * row * n + column;
    const auto of_input = [&](std::size_t gate) HWY_ATTR {
      return hn::Add(load_or_zero(d, inputs, packed_gates + gate * n),
                     load_or_zero(d, input, own_gates + gate * n));
    };
    const auto of_state = [&](std::size_t gate)
                              HWY_ATTR { return hn::LoadU(d, t.hidden + own_gates + gate * n); };
    const auto reset = sigmoid(d, hn::Add(of_input(0), of_state(0)));
    const auto update = sigmoid(d, hn::Add(of_input(1), of_state(1)));
    const auto state = of_state(2);
    const auto value = hyperbolic(d, hn::MulAdd(reset, state, of_input(2)));
    const auto before = hn::LoadU(d, t.h + own);
    const auto h = hn::MulAdd(update, before, hn::Mul(hn::Sub(hn::Set(d, 1.0F), update), value));
    if (t.keep != 0) {
      hn::StoreU(reset, d, t.gates + packed_gates);
      hn::StoreU(update, d, t.gates + packed_gates + n);
      hn::StoreU(value, d, t.gates + packed_gates + 2 * n);
      hn::StoreU(before, d, t.h_before + packed);
      hn::StoreU(state, d, t.candidate + packed);
    }
    hn::StoreU(h, d, t.h + own);
    hn::StoreU(h, d, t.y + packed);
  });
}

void gru_backward_rows(const GruBackward& t, std::size_t begin, std::size_t end) {
  const float* const dy = used_if(t.has_dy, t.dy);
  const std::size_t n = t.columns;
  for_step(t, begin, end, [&](auto d, std::size_t i, std::size_t row, std::size_t column) HWY_ATTR {
    const std::size_t own = i * n + column, packed = row * n + column;
    const std::size_t own_gates = 3 * i * n + column, packed_gates = 3 * row * n + column;
    const auto one = hn::Set(d, 1.0F);
    const auto gate = [&](std::size_t index)
                          HWY_ATTR { return hn::LoadU(d, t.gates + packed_gates + index * n); };
    const auto reset = gate(0), update = gate(1), value = gate(2);
    const auto dh = hn::Add(hn::LoadU(d, t.dh + own), load_or_zero(d, dy, packed));
    const auto dvalue =
        hn::Mul(hn::Mul(dh, hn::Sub(one, update)), hn::NegMulAdd(value, value, one));
    const auto change = hn::Sub(hn::LoadU(d, t.h_before + packed), value);
    const auto dupdate = hn::Mul(hn::Mul(dh, change), hn::Mul(update, hn::Sub(one, update)));
    const auto dreset = hn::Mul(hn::Mul(dvalue, hn::LoadU(d, t.candidate + packed)),
                                hn::Mul(reset, hn::Sub(one, reset)));
    const auto store = [&](std::size_t index, auto of_input, auto of_state) HWY_ATTR {
      hn::StoreU(of_input, d, t.dgates + packed_gates + index * n);
      hn::StoreU(of_input, d, t.dgates_of_step + own_gates + index * n);
      hn::StoreU(of_state, d, t.dhidden + packed_gates + index * n);
      hn::StoreU(of_state, d, t.dhidden_of_step + own_gates + index * n);
    };
    store(0, dreset, dreset);
    store(1, dupdate, dupdate);
    store(2, dvalue, hn::Mul(dvalue, reset));
    hn::StoreU(hn::Mul(dh, update), d, t.dh + own);
  });
}

void feed_rows(const Feed& t, std::size_t begin, std::size_t end) {
  const std::size_t n = t.columns;
  for_step(t, begin, end, [&](auto d, std::size_t i, std::size_t row, std::size_t column) HWY_ATTR {
    const std::size_t own = i * n + column, packed = row * n + column;
    const auto f = hyperbolic(d, hn::LoadU(d, t.z + own));
    if (t.keep != 0) hn::StoreU(hn::LoadU(d, t.f + own), d, t.f_before + packed);
    hn::StoreU(f, d, t.f + own);
    hn::StoreU(f, d, t.y + packed);
  });
}

void feed_backward_rows(const FeedBackward& t, std::size_t begin, std::size_t end) {
  const float* const dy = used_if(t.has_dy, t.dy);
  const std::size_t n = t.columns;
  for_step(t, begin, end, [&](auto d, std::size_t i, std::size_t row, std::size_t column) HWY_ATTR {
    const std::size_t own = i * n + column, packed = row * n + column;
    const auto y = hn::LoadU(d, t.y + packed);
    const auto df = hn::Add(hn::LoadU(d, t.df + own), load_or_zero(d, dy, packed));
    const auto dz = hn::Mul(df, hn::NegMulAdd(y, y, hn::Set(d, 1.0F)));
    hn::StoreU(dz, d, t.dz + own);
    hn::StoreU(dz, d, t.dz_rows + packed);
  });
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(lstm_rows);
HWY_EXPORT(lstm_backward_rows);
HWY_EXPORT(gru_rows);
HWY_EXPORT(gru_backward_rows);
HWY_EXPORT(feed_rows);
HWY_EXPORT(feed_backward_rows);

namespace {

// The functions of a gate take about as long as reading this many floats.
constexpr std::size_t kFloatsOfGates = 32;

template <class Operation, class Rows>
void for_step_rows(ThreadPool& pool, const Operation& operation, const Rows& rows) {
  for_rows(pool, operation.rows_count.rows(), kFloatsOfGates * operation.columns, rows);
}

}  // namespace

void lstm(ThreadPool& pool, const Lstm& lstm) {
  for_step_rows(pool, lstm, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(lstm_rows)(lstm, begin, end);
  });
}

void lstm_backward(ThreadPool& pool, const LstmBackward& backward) {
  for_step_rows(pool, backward, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(lstm_backward_rows)(backward, begin, end);
  });
}

void gru(ThreadPool& pool, const Gru& gru) {
  for_step_rows(pool, gru, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(gru_rows)(gru, begin, end);
  });
}

void gru_backward(ThreadPool& pool, const GruBackward& backward) {
  for_step_rows(pool, backward, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(gru_backward_rows)(backward, begin, end);
  });
}

void feed(ThreadPool& pool, const Feed& feed) {
  for_step_rows(pool, feed, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(feed_rows)(feed, begin, end);
  });
}

void feed_backward(ThreadPool& pool, const FeedBackward& backward) {
  for_step_rows(pool, backward, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(feed_backward_rows)(backward, begin, end);
  });
}

}  // namespace awend::host
#endif
