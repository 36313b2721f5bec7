// Sentences packed end to end, as ranges of rows.
#pragma once

#include <cstddef>
#include <cstdint>

namespace awend::host {

struct SentenceRows {
  std::size_t sentences;
  std::size_t columns;          ///< Of a row; a multiple of 4.
  const std::uint32_t* ranges;  ///< (sentences, 2): first row and end
};

}  // namespace awend::host
