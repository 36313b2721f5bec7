// The mean of checkpoints, which is what the paper translates with (section 6.1): the last 5 of a
// base model, the last 20 of a big one.  Test: tests/unit/store/average_test.cpp.
#pragma once

#include <span>
#include <string>

namespace awend::store {

/// Writes the mean of F32 checkpoints, summed in double and a block at a time: memory does not grow
/// with the model.  Throws Error naming the file and the difference unless all have the same
/// arrays, configuration and vocabulary.  The result carries the last file's step and, under the
/// key awend.average, the names of the files, one a line.
void average(std::span<const std::string> paths, const std::string& output);

}  // namespace awend::store
