// The ids of the tokens with a special meaning in a search.
#pragma once

#include <cstdint>

namespace awend::decode {

struct SpecialIds {
  std::uint32_t end_of_sentence = 1;
  std::uint32_t unknown = 0;
};

}  // namespace awend::decode
