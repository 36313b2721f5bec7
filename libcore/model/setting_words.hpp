// Words for settings that several architectures have.
#pragma once

#include <string_view>

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

/// The heading of their options.
inline constexpr std::string_view kRegularization =
    "Regularization (defaults depend on the preset)";

}  // namespace awend::model
