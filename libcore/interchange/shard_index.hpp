// Weights in several files, as Hugging Face stores those of large models:
// model-00001-of-00002.safetensors, …, and an index, model.safetensors.index.json, that names the
// file of each array.
//
// Test: tests/unit/interchange/shard_index_test.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "interchange/model_files.hpp"

namespace awend::interchange {

struct ShardIndex {
  std::string name;                                         ///< Of the index.
  std::map<std::string, std::string, std::less<>> file_of;  ///< By the names of arrays.
};

/// The files in "weight_map".  Throws Error if the text is not an index.
std::map<std::string, std::string, std::less<>> parse_shard_index(std::string_view json);

/// The index of which the file `name` is a part, if there is one.  Throws Error naming the index if
/// it is damaged.
std::optional<ShardIndex> shard_index_of(ModelFiles& files, std::string_view name);

}  // namespace awend::interchange
