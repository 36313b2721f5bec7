// The file model.bin of CTranslate2, versions 2 to 6.
//
// Test: tests/unit/store/foreign_containers_test.cpp, tests/fuzz/foreign_files_test.cpp.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
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

/// A variable that is made when it is written.
struct CTranslate2Variable {
  Type type;
  std::vector<std::uint64_t> shape;
  /// Calls its argument with parts, until all bytes of the shape are written.
  std::function<void(const std::function<void(std::span<const std::byte>)>& write)> write;
};

/// A file to write.
struct CTranslate2Output {
  std::string spec;
  std::uint32_t revision = 0;
  std::map<std::string, CTranslate2Variable, std::less<>> variables;  ///< Without the aliases.
  std::map<std::string, std::string, std::less<>> aliases;
};

/// Writes the bytes of a file of version 6, in parts.
void write_ctranslate2(const CTranslate2Output& output,
                       const std::function<void(std::string_view bytes)>& write);

}  // namespace awend::store
