#include "nn/matmul/host.hpp"

#include <optional>

#include "base/error.hpp"
#include "host/bfloat16_product.hpp"
#include "host/int8_product.hpp"
#include "host/product.hpp"
#include "nn/matmul/prepared_operands.hpp"
#include "nn/parameters.hpp"

namespace awend::nn {
namespace {

// A constant operand is packed once if products have at most this many rows; with more rows,
// packing takes only a small part of the time of a product.  One that is stored elsewhere is always
// packed once: its copy replaces the values in memory (release() below).
constexpr std::uint32_t kFewRows = 512;

std::vector<Operand> operands_of(const Product& product) {
  const auto access =
      (product.flags & MATMUL_ACCUMULATE) != 0 ? OperandAccess::kUpdate : OperandAccess::kWrite;
  const auto read = OperandAccess::kRead;
  const auto type = OperandType::k_float;
  std::vector<Operand> operands = {{"a", read, type, ANY_COLUMNS, product.a},
                                   {"b", read, type, ANY_COLUMNS, product.b},
                                   {"c", access, type, ANY_COLUMNS, product.c}};
  if (product.bias) operands.push_back({"bias", read, type, ANY_COLUMNS, *product.bias});
  return operands;
}

/// A product in the memory of a program, with no rows yet.
host::Product product_in(const HostMemory& memory, const Product& product) {
  const auto floats = [&](const Tensor& tensor) {
    return reinterpret_cast<float*>(memory.memory(tensor));
  };
  const bool is_tn = product.form == Form::kTN;
  const auto b_order = product.form == Form::kNT ? host::Order::kColumns : host::Order::kRows;
  return {.rows = is_tn ? product.a.columns : 0,
          .columns = product.c.columns,
          .inner = is_tn ? 0 : product.a.columns,
          .a = {floats(product.a), product.a.columns,
                is_tn ? host::Order::kColumns : host::Order::kRows},
          .b = {floats(product.b), product.b.columns, b_order},
          .c = floats(product.c),
          .start = product.bias                               ? host::Start::kBias
                   : (product.flags & MATMUL_ACCUMULATE) != 0 ? host::Start::kResult
                                                              : host::Start::kZero,
          .bias = product.bias ? floats(*product.bias) : nullptr,
          .finish = (product.flags & MATMUL_RELU) != 0 ? host::Finish::kRelu : host::Finish::kNone};
}

/// What multiplies, with the constant operand of a product prepared for the host.
class HostProduct {
 public:
  HostProduct(const HostMemory& memory, const Product& product,
              const std::optional<ParameterOperand>& constant_b)
      : product_(product_in(memory, product)),
        is_rounded_(product.a.read_as == Element::kBfloat16),
        form_(product.form),
        rows_(product.a.rows),
        count_(memory.count(rows_.word)),
        constant_b_(constant_b) {
    if (!constant_b_) return;
    const auto& [parameters, parameter] = *constant_b_;
    stored_ = parameters->stored(parameter);
    if (stored_ && form_ == Form::kNT) product_.b.stored_columns = parameter.rows;
  }

  void run(host::ThreadPool& threads) {
    host::Product product = product_;
    (form_ == Form::kTN ? product.inner : product.rows) = *count_;
    if (product.rows == 0) return;
    const bool is_prepared = constant_b_ && (stored_ || rows_.capacity <= kFewRows);
    if (constant_b_ && constant_b_->parameters->quantized() &&
        product.inner <= host::kMaxInt8Inner) {
      prepare([&](PreparedOperands& prepared, const PreparedOperands::Source& source) {
        quantized_ = &prepared.quantized(threads, product, source);
      });
      host::multiply(threads, product, *quantized_);
    } else if (is_rounded_) {
      if (!is_prepared) return host::multiply_bfloat16(threads, product);
      prepare([&](PreparedOperands& prepared, const PreparedOperands::Source& source) {
        rounded_ = &prepared.rounded(threads, product, source);
      });
      host::multiply(threads, product, *rounded_);
    } else if (is_prepared) {
      prepare([&](PreparedOperands& prepared, const PreparedOperands::Source& source) {
        packed_ = &prepared.packed(product, source);
      });
      host::multiply(threads, product, *packed_);
    } else {
      host::multiply(threads, product);
    }
  }

 private:
  /// Prepares the constant operand for products, for the first time or if it has changed.
  template <class Prepare>
  void prepare(const Prepare& prepare) {
    const auto& [parameters, parameter] = *constant_b_;
    if (prepared_version_ == parameters->version()) return;
    const std::uint64_t version = parameters->version();
    PreparedOperands::Source source{.parameter = parameter.index, .version = version};
    if (stored_ && stored_->integers) {
      source.integers = {.matrix = *stored_->integers,
                         .order = product_.b.order,
                         .stored_columns = product_.b.stored_columns};
    }
    prepare(parameters->prepared(), source);
    prepared_version_ = version;  // unless it threw
    if (stored_) release(*stored_, parameter.rows);
  }

  host::Product product_;
  bool is_rounded_;
  Form form_;
  Count rows_;  // of the left operand
  const std::uint32_t* count_;
  std::optional<ParameterOperand> constant_b_;
  std::optional<StoredValues> stored_;
  const host::PackedOperand* packed_ = nullptr;
  const host::Bfloat16Operand* rounded_ = nullptr;
  const host::QuantizedOperand* quantized_ = nullptr;
  std::optional<std::uint64_t> prepared_version_;
};

}  // namespace

void host_matmul(Program& program, const Product& product,
                 const std::optional<ParameterOperand>& constant_b) {
  base::check(product.a.read_as == product.b.read_as, "both operands are rounded, or none");
  const char* form = product.form == Form::kNN   ? "matmul_nn"
                     : product.form == Form::kNT ? "matmul_nt"
                                                 : "matmul_tn";
  Launch launch;
  launch.kernel = form;
  launch.operands = operands_of(product);
  launch.host = [product, constant_b](const HostMemory& memory) -> HostStep {
    return [work = HostProduct(memory, product, constant_b)](host::ThreadPool& threads) mutable {
      work.run(threads);
    };
  };
  program.launch(std::move(launch));
}

}  // namespace awend::nn
