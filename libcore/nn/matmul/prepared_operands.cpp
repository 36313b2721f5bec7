#include "nn/matmul/prepared_operands.hpp"

namespace awend::nn {

template <class Operand, class Make>
const Operand& PreparedOperands::find_or_make(Table<Operand>& table, const host::Product& product,
                                              std::uint64_t version, const Make& make) {
  const std::lock_guard lock(mutex_);
  auto& entry = table[{product.b.values, product.b.order, product.inner, product.columns}];
  if (!entry.operand || entry.version != version) entry = {version, make()};
  return *entry.operand;
}

const host::PackedOperand& PreparedOperands::packed(const host::Product& product,
                                                    std::uint64_t version) {
  return find_or_make(packed_, product, version, [&] {
    return std::make_unique<const host::PackedOperand>(product.b, product.inner, product.columns);
  });
}

const host::Bfloat16Operand& PreparedOperands::rounded(host::ThreadPool& threads,
                                                       const host::Product& product,
                                                       std::uint64_t version) {
  return find_or_make(rounded_, product, version, [&] {
    return std::make_unique<const host::Bfloat16Operand>(threads, product.b, product.inner,
                                                         product.columns);
  });
}

const host::QuantizedOperand& PreparedOperands::quantized(host::ThreadPool& threads,
                                                          const host::Product& product,
                                                          std::uint64_t version) {
  return find_or_make(quantized_, product, version, [&] {
    const auto scale = left_scales_.find(product.b.values);
    return std::make_unique<const host::QuantizedOperand>(
        threads, product.b, product.inner, product.columns,
        scale == left_scales_.end() ? 0 : scale->second);
  });
}

void PreparedOperands::fix_left_scale(const float* values, float scale) {
  const std::lock_guard lock(mutex_);
  left_scales_[values] = scale;
}

}  // namespace awend::nn
