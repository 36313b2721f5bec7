// The mean of checkpoints, which is what the paper translates with (section 6.1): the last 5 of a
// base model, the last 20 of a big one.  Test: tests/unit/store/average_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace awend::store {

/// What weights are written as; I8 takes a quarter of the room (see store/weights.hpp).
enum class Storage { kFloat32, kInt8 };

struct AverageSettings {
  Storage storage = Storage::kFloat32;
  /// Called now and then with how many of how many weights are written.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
  /// Called for each checkpoint whose recipe of training differs from that of the first.
  std::function<void(std::string_view)> warn = {};
};

/// Writes the mean of checkpoints, summed in double and a block at a time: memory does not grow
/// with the model.  Throws Error naming the file and the difference unless all have the same
/// arrays, configuration and vocabulary, match their digests and have finite weights.  The result
/// carries the last file's step and, under the key awend.average, the names of the files, one a
/// line.
void average(std::span<const std::string> paths, const std::string& output,
             const AverageSettings& settings = {});

}  // namespace awend::store
