// The file model.bin of CTranslate2, versions 2 to 6.
//
// Test: tests/unit/store/foreign_containers_test.cpp, tests/fuzz/foreign_files_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "store/strided_array.hpp"

namespace awend::store {

struct CTranslate2Items {
  std::uint32_t version = 6;
  std::string spec;  ///< "TransformerSpec"
  std::uint32_t revision = 0;
  StridedArrays variables;  ///< Views of the file; aliases included.
  /// The names that stand for others.
  std::map<std::string, std::string, std::less<>> aliases;
};

bool looks_like_ctranslate2(std::span<const std::byte> bytes);

/// Throws Error naming the variable that is damaged.
CTranslate2Items read_ctranslate2(std::span<const std::byte> bytes);

/// The bytes of a file of version 6.  `variables` does not contain the aliases.
std::string write_ctranslate2(const CTranslate2Items& items);

}  // namespace awend::store
