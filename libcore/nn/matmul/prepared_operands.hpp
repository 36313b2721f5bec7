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
#include <optional>

#include "host/bfloat16_product.hpp"
#include "host/int8_product.hpp"
#include "host/product.hpp"

namespace awend::nn {

class PreparedOperands {
 public:
  /// The values of a parameter.
  struct Source {
    std::uint32_t parameter;  ///< Its index.
    std::uint64_t version;    ///< Other values have another one.
    /// Instead of those of `product.b`, if they are stored as integers.
    std::optional<host::Int8Operand> integers = std::nullopt;
  };
  /// The right operand of `product`; valid until it is requested with another version.  May be
  /// called by several threads at once.
  const host::PackedOperand& packed(const host::Product& product, const Source& source);
  const host::Bfloat16Operand& rounded(host::ThreadPool& threads, const host::Product& product,
                                       const Source& source);
  const host::QuantizedOperand& quantized(host::ThreadPool& threads, const host::Product& product,
                                          const Source& source);
  /// What the left operands of 8-bit products with a parameter are multiplied with;
  /// host::QuantizedOperand explains it.  0: nothing is fixed.  Set before any product.
  void fix_left_scale(std::uint32_t parameter, float scale);
  float left_scale(std::uint32_t parameter) const;

 private:
  struct Key {
    std::uint32_t parameter;
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
                              const Source& source, const Make& make);

  std::mutex mutex_;
  Table<host::PackedOperand> packed_;
  Table<host::Bfloat16Operand> rounded_;
  Table<host::QuantizedOperand> quantized_;
  std::map<std::uint32_t, float> left_scales_;
};

}  // namespace awend::nn
