// The tile registers of x86 processors (AMX), which multiply matrices of bytes or of bf16.
//
// The registers 0 to 3 are used for sums of 16 × 16, 4 and 5 for the left operand, 6 and 7 for the
// right one.
#pragma once

#include <cstddef>

namespace awend::host {

/// Rows of a register, and its columns of sums.
inline constexpr std::size_t kAmxRows = 16, kAmxColumns = 16;
/// Bytes of a row of a register.
inline constexpr std::size_t kAmxRowBytes = 64;

/// Whether the processor has the instructions, and the system lets this process use them.
bool has_amx_int8();
bool has_amx_bfloat16();

/// Gives the calling thread its tile registers, as long as the object exists.
/// Requires: has_amx_int8() or has_amx_bfloat16().
class AmxRegisters {
 public:
  AmxRegisters();
  ~AmxRegisters();
  AmxRegisters(const AmxRegisters&) = delete;
  AmxRegisters& operator=(const AmxRegisters&) = delete;
};

}  // namespace awend::host
