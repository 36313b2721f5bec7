// The header of a safetensors file; a part of ArrayFile.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "store/array.hpp"

namespace awend::store {

/// Texts by name, which a safetensors file carries beside its arrays.
using Metadata = std::map<std::string, std::string>;

struct Header {
  std::vector<Array> arrays;  // in file order; their bytes are parts of the file
  Metadata metadata;
};

/// Reads the header of a whole file, and checks all that it says.  Throws Error, without a file's
/// name, if anything is wrong.
Header read_header(std::span<const std::byte> file);

}  // namespace awend::store
