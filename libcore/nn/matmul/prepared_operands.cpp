#include "nn/matmul/prepared_operands.hpp"

namespace awend::nn {

template <class Operand, class Make>
const Operand& PreparedOperands::find_or_make(Table<Operand>& table, const host::Product& product,
                                              const Source& source, const Make& make) {
  const std::lock_guard lock(mutex_);
  auto& entry = table[{source.parameter, product.b.order, product.inner, product.columns}];
  if (!entry.operand || entry.version != source.version) entry = {source.version, make()};
  return *entry.operand;
}

const host::PackedOperand& PreparedOperands::packed(const host::Product& product,
                                                    const Source& source) {
  return find_or_make(packed_, product, source, [&] {
    return std::make_unique<const host::PackedOperand>(product.b, product.inner, product.columns);
  });
}

const host::Bfloat16Operand& PreparedOperands::rounded(host::ThreadPool& threads,
                                                       const host::Product& product,
                                                       const Source& source) {
  return find_or_make(rounded_, product, source, [&] {
    return std::make_unique<const host::Bfloat16Operand>(threads, product.b, product.inner,
                                                         product.columns);
  });
}

const host::QuantizedOperand& PreparedOperands::quantized(host::ThreadPool& threads,
                                                          const host::Product& product,
                                                          const Source& source) {
  return find_or_make(quantized_, product, source, [&] {
    const auto made_of = [&](const auto& b) {
      return std::make_unique<const host::QuantizedOperand>(
          threads, b, product.inner, product.columns, left_scale(source.parameter));
    };
    return source.integers ? made_of(*source.integers) : made_of(product.b);
  });
}

void PreparedOperands::fix_left_scale(std::uint32_t parameter, float scale) {
  const std::lock_guard lock(mutex_);
  left_scales_[parameter] = scale;
}

float PreparedOperands::left_scale(std::uint32_t parameter) const {
  const auto found = left_scales_.find(parameter);
  return found == left_scales_.end() ? 0 : found->second;
}

}  // namespace awend::nn
