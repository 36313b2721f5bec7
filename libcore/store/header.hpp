// The header of a safetensors file; a part of ArrayFile.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "store/array.hpp"

namespace awend::store {

/// Texts by name in a safetensors file.
using Metadata = std::map<std::string, std::string>;

struct Header {
  std::vector<Array> arrays;  // in file order; their bytes are parts of the file
  Metadata metadata;
};

/// Parses and checks the header of a complete file.  Throws Error, without the name of the file,
/// if anything is wrong.
Header read_header(std::span<const std::byte> file);

}  // namespace awend::store
