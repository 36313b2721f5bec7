// Words and ranges of settings that several architectures have.
#pragma once

#include <string_view>

#include "base/field.hpp"
#include "base/words.hpp"

namespace awend::model {

enum class Switch { kOff, kOn };
inline constexpr base::Word<Switch> kSwitchWords[] = {{Switch::kOff, "off"}, {Switch::kOn, "on"}};

/// Which of source embedding, target embedding and output projection are one matrix.
enum class Tie { kAll, kDecoder, kEmbeddings, kNone };
inline constexpr base::Word<Tie> kTieWords[] = {{Tie::kAll, "all"},
                                                {Tie::kDecoder, "decoder"},
                                                {Tie::kEmbeddings, "embeddings"},
                                                {Tie::kNone, "none"}};
/// Whether the output projection is the table of target embeddings.
constexpr bool ties_projection(Tie tie) {
  return tie == Tie::kAll || tie == Tie::kDecoder;
}
/// Whether source and target have one table of embeddings.
constexpr bool ties_embeddings(Tie tie) {
  return tie == Tie::kAll || tie == Tie::kEmbeddings;
}

/// Of a dimension: kernels read rows as vectors of four, and the columns of all heads or gates
/// together are counted in 32 bits.
inline constexpr base::Integers kWidth{.min = 4, .max = 1 << 20, .multiple_of = 4};
/// 0 has a meaning of its own.
inline constexpr base::Integers kOptionalWidth{
    .min = 0, .max = kWidth.max, .multiple_of = kWidth.multiple_of};
inline constexpr base::Integers kLayers{.min = 1, .max = 1024};

/// The heading of their options.
inline constexpr std::string_view kRegularization =
    "Regularization (defaults depend on the preset)";

}  // namespace awend::model
