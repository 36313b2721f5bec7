// Dropout of elements, with the random numbers of the kernels (shaders/lib/philox.glsl).
#pragma once

#include <cstdint>
#include <optional>

namespace awend::host {

/// One use of dropout in one update.
struct Dropout {
  std::uint32_t seed_low;
  std::uint32_t seed_high;
  std::uint32_t step;
  std::uint32_t dropout_id;  ///< Identifies this use of dropout in the model.
  std::uint32_t threshold;   ///< A smaller random word drops its element.
  float scale;               ///< Of the other elements: 1 / (1 − probability).

  /// The dropout of arguments whose members are named as in shaders/op_row_dropout.h.
  template <class Arguments>
  static Dropout of(const Arguments& arguments) {
    return {.seed_low = arguments.step->seed_low,
            .seed_high = arguments.step->seed_high,
            .step = arguments.step->step,
            .dropout_id = static_cast<std::uint32_t>(arguments.dropout_id),
            .threshold = static_cast<std::uint32_t>(arguments.threshold),
            .scale = arguments.scale};
  }
};

/// The same for arguments with a constant `drops`, as in shaders/op_residual.h; nullopt if it is 0.
template <class Arguments>
std::optional<Dropout> dropout_of(const Arguments& arguments) {
  if (arguments.drops == 0) return std::nullopt;
  return Dropout::of(arguments);
}

}  // namespace awend::host
