// One launch of a kernel: its operands, constants and workgroups, by name.
//
// The header shaders/op_NAME.h of an operation defines a type for each of its kernels that converts
// to Launch (shaders/kernel.hpp).  Test: tests/unit/nn/launch_test.cpp; for mistakes that must not
// compile, tests/lint/operands.sh.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/numbers.hpp"
#include "nn/tensor.hpp"

namespace awend::host {
class ThreadPool;
}

namespace awend::nn {

// The C++ types of push constants; a count is the index of its word.
using Push_count = std::uint32_t;
using Push_uint = std::uint32_t;
using Push_float = float;

/// Whether one of the types is an integer and the other a floating-point number.
template <class From, class To>
inline constexpr bool kIsOtherKind =
    std::is_arithmetic_v<From>&& std::is_floating_point_v<From> != std::is_floating_point_v<To>;

/// A member that an initializer must not omit, because it has no default.
template <class T>
class Required {
 public:
  constexpr Required(T value) : value_(value) {}
  template <class Other>
  requires kIsOtherKind<Other, T> Required(Other)
  = delete;
  constexpr operator const T&() const { return value_; }

 private:
  T value_;
};

/// Element types of operands, named as in GLSL.
enum class OperandType {
  k_vec4,
  k_vec2,
  k_float,
  k_uint,
  k_uvec2,
  k_half4,
  k_half8,
  k_StepScalars
};
enum class OperandAccess { kRead, kWrite, kUpdate };

/// The number of columns of an operand that may have any.
inline constexpr std::uint32_t ANY_COLUMNS = 0;

/// An operand as the kernel declares it, and the tensor that a launch passes for it.
struct Operand {
  std::string_view name;
  OperandAccess access;
  OperandType type;
  std::uint32_t columns;
  Tensor tensor;
};

/// Workgroups along one axis: ceil(rows / divisor) for a count, or a fixed number.
struct Axis {
  std::optional<Count> count;
  std::uint32_t divisor = 1;
  std::uint32_t fixed = 1;

  static Axis rows(Count count, std::uint32_t per_group = 1) { return {count, per_group, 1}; }
  static Axis of(std::uint32_t groups) { return {std::nullopt, 1, groups}; }
  /// Workgroups with the count at its capacity.
  std::uint32_t max_groups() const {
    return count ? base::divide_up(count->capacity, divisor) : fixed;
  }
};

/// The memory of a compiled program.
class HostMemory {
 public:
  virtual ~HostMemory() = default;
  virtual std::byte* memory(const Tensor& tensor) const = 0;
  /// The two words of a count (see Count), which change between replays.
  virtual const std::uint32_t* count(std::uint32_t word) const = 0;
};

/// The computation of a launch by the host.
using HostStep = std::function<void(host::ThreadPool&)>;

struct Launch {
  std::string kernel;                    ///< For work that only the host does, its name.
  std::vector<std::uint32_t> constants;  ///< Specialization constants 1, 2, …
  std::vector<Operand> operands;         ///< Bindings 1, 2, …
  std::vector<std::byte> push_constants;
  Axis x = Axis::of(1);
  Axis y = Axis::of(1);
  /// Makes the step that computes the launch on the host, from the memory of the program, when the
  /// program is compiled; empty: only the kernel computes it.
  std::function<HostStep(const HostMemory&)> host = nullptr;
  double flops = 0;  ///< With all counts at their capacity; 0: few for the size of the operands.
};

/// Throws std::logic_error, naming kernel and operand, unless each tensor has the elements and the
/// number of columns that the kernel declares.
void check_operands(const Launch& launch);

/// The bytes of a struct of push constants, which are 32 bits each.
template <class Push>
std::vector<std::byte> bytes_of(const Push& push) {
  static_assert(std::is_trivially_copyable_v<Push> && alignof(Push) == 4);
  const auto* begin = reinterpret_cast<const std::byte*>(&push);
  return {begin, begin + sizeof(Push)};
}

/// Whether `numbers` are 1, 2, …
constexpr bool counts_up_from_one(std::initializer_list<std::uint32_t> numbers) {
  std::uint32_t expected = 0;
  return std::ranges::all_of(numbers, [&](std::uint32_t n) { return n == ++expected; });
}

}  // namespace awend::nn
