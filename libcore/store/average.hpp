// The mean of checkpoints, which is what the paper translates with (section 6.1): the last 5 of a
// base model, the last 20 of a big one.  Test: tests/unit/store/average_test.cpp.
#pragma once

#include <span>
#include <string>

namespace awend::store {

/// What weights are written as; I8 takes a quarter of the room (see store/weights.hpp).
enum class Storage { kFloat32, kInt8 };

/// Writes the mean of checkpoints, summed in double and a block at a time: memory does not grow
/// with the model.  Throws Error naming the file and the difference unless all have the same
/// arrays, configuration and vocabulary.  The result carries the last file's step and, under the
/// key awend.average, the names of the files, one a line.
void average(std::span<const std::string> paths, const std::string& output,
             Storage storage = Storage::kFloat32);

}  // namespace awend::store
