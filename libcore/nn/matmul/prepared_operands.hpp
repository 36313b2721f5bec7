// The constant operands of products on the processor, in the order in which products read them: one
// copy for all programs, such as those of several decoders of one model.
//
// Test: tests/kernels/prepared_operands_test.cpp.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "host/bfloat16_product.hpp"
#include "host/int8_product.hpp"
#include "host/product.hpp"

namespace awend::nn {

class PreparedOperands {
 public:
  /// The right operand of `product`, whose values are those of `version`; valid until it is
  /// requested with another version.  May be called by several threads at once.
  const host::PackedOperand& packed(const host::Product& product, std::uint64_t version);
  const host::Bfloat16Operand& rounded(host::ThreadPool& threads, const host::Product& product,
                                       std::uint64_t version);
  const host::QuantizedOperand& quantized(host::ThreadPool& threads, const host::Product& product,
                                          std::uint64_t version);
  /// What the left operands of 8-bit products with the values at this address are multiplied with;
  /// host::QuantizedOperand explains it.  Call before any product.
  void fix_left_scale(const float* values, float scale);

 private:
  struct Key {
    const float* values;
    host::Order order;
    std::size_t inner, columns;
    auto operator<=>(const Key&) const = default;
  };
  template <class Operand>
  struct Prepared {
    std::uint64_t version = 0;
    std::unique_ptr<const Operand> operand;
  };
  template <class Operand>
  using Table = std::map<Key, Prepared<Operand>>;

  template <class Operand, class Make>
  const Operand& find_or_make(Table<Operand>& table, const host::Product& product,
                              std::uint64_t version, const Make& make);

  std::mutex mutex_;
  Table<host::PackedOperand> packed_;
  Table<host::Bfloat16Operand> rounded_;
  Table<host::QuantizedOperand> quantized_;
  std::map<const float*, float> left_scales_;
};

}  // namespace awend::nn
