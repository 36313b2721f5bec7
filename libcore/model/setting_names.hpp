// Settings of a model that errors refer to, and whose range depends on the vocabulary; the program
// train replaces them with its options.
#pragma once

#include "base/message.hpp"

namespace awend::model {

inline constexpr base::Setting kStartId{"start-id"};
inline constexpr base::Setting kMaskedIds{"masked-ids"};

}  // namespace awend::model
