#include "nn/matmul/host.hpp"

#include <optional>
#include <utility>

#include "base/error.hpp"
#include "host/int8_product.hpp"
#include "host/product.hpp"
#include "nn/parameters.hpp"

namespace awend::nn {
namespace {

// A constant operand is packed once if products have at most this many rows; with more rows,
// packing takes only a small part of the time of a product.
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

class HostProduct : public HostWork {
 public:
  HostProduct(const Product& product, const Parameters* constant_b)
      : product_(product), constant_b_(constant_b) {}

  void run(const HostView& view) override {
    const host::Product product = product_on(view);
    if (product.rows == 0) return;
    auto& threads = view.threads();
    const bool is_constant = constant_b_ != nullptr;
    if (is_constant && constant_b_->quantized() && product.inner <= host::kMaxInt8Inner) {
      if (has_changed()) quantized_.emplace(threads, product.b, product.inner, product.columns);
      host::multiply(threads, product, *quantized_);
    } else if (is_constant && product_.a.rows.capacity <= kFewRows) {
      if (has_changed()) packed_.emplace(product.b, product.inner, product.columns);
      host::multiply(threads, product, *packed_);
    } else {
      host::multiply(threads, product);
    }
  }

 private:
  host::Product product_on(const HostView& view) const {
    const std::size_t rows = view.count(product_.a.rows.word);
    const bool is_tn = product_.form == Form::kTN;
    const std::size_t inner = is_tn ? rows : product_.a.columns;
    const auto b_order = product_.form == Form::kNT ? host::Order::kColumns : host::Order::kRows;
    return {
        .rows = is_tn ? product_.a.columns : rows,
        .columns = product_.c.columns,
        .inner = inner,
        .a = {view.floats(product_.a), product_.a.columns,
              is_tn ? host::Order::kColumns : host::Order::kRows},
        .b = {view.floats(product_.b), product_.b.columns, b_order},
        .c = view.floats(product_.c),
        .start = product_.bias                               ? host::Start::kBias
                 : (product_.flags & MATMUL_ACCUMULATE) != 0 ? host::Start::kResult
                                                             : host::Start::kZero,
        .bias = product_.bias ? view.floats(*product_.bias) : nullptr,
        .finish = (product_.flags & MATMUL_RELU) != 0 ? host::Finish::kRelu : host::Finish::kNone};
  }

  /// Whether the constant operand must be prepared for products, for the first time or again.
  bool has_changed() {
    const std::uint64_t version = constant_b_->version();
    return std::exchange(prepared_version_, version) != version;
  }

  Product product_;
  const Parameters* constant_b_;
  std::optional<host::PackedOperand> packed_;
  std::optional<host::QuantizedOperand> quantized_;
  std::optional<std::uint64_t> prepared_version_;
};

}  // namespace

void host_matmul(Program& program, const Product& product, const Parameters* constant_b) {
  base::check(!product.bias || (product.flags & MATMUL_ACCUMULATE) == 0,
              "no bias is added to a sum");
  const char* form = product.form == Form::kNN   ? "matmul_nn"
                     : product.form == Form::kNT ? "matmul_nt"
                                                 : "matmul_tn";
  Launch launch;
  launch.kernel = form;
  launch.operands = operands_of(product);
  launch.host = std::make_unique<HostProduct>(product, constant_b);
  program.launch(std::move(launch));
}

}  // namespace awend::nn
