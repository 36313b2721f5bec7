#include "nn/launch.hpp"

#include "base/error.hpp"

namespace awend::nn {
namespace {

bool is_narrow(OperandType type) {
  return type == OperandType::k_half4 || type == OperandType::k_half8;
}

}  // namespace

void check_operands(const Launch& launch) {
  for (const auto& [name, access, type, columns, tensor] : launch.operands) {
    const bool narrow = tensor.element != Element::kFloat32;
    if (narrow != is_narrow(type)) {
      base::check(false, base::concat("kernel ", launch.kernel, ", operand ", name,
                                      ": elements must be ", is_narrow(type) ? "16-bit" : "32-bit",
                                      ", got ", name_of(tensor.element)));
    }
    if (columns != ANY_COLUMNS && columns != tensor.columns) {
      base::check(false, base::concat("kernel ", launch.kernel, ", operand ", name, ": must have ",
                                      columns, " columns, got ", tensor.columns));
    }
  }
}

}  // namespace awend::nn
