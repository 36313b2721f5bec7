// Averages of checkpoints, with which the paper translates (section 6.1): the last 5 of a base
// model, the last 20 of a big one.  Test: tests/unit/store/average_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/words.hpp"
#include "store/lexical_shortlist.hpp"
#include "store/stored_settings.hpp"

namespace awend::store {

/// The type of the written weights; I8 takes a quarter of the space (see store/weights.hpp).
enum class Storage { kFloat32, kInt8 };
inline constexpr base::Word<Storage> kStorageWords[] = {{Storage::kFloat32, "none"},
                                                        {Storage::kInt8, "int8"}};

struct AverageSettings {
  Storage storage = Storage::kFloat32;
  /// Replaces the lexical shortlist of the last file; a shortlist without source words removes it.
  std::optional<LexicalShortlist> shortlist = std::nullopt;
  /// Added to the settings of the search (decode/search_settings.hpp) of the last file.
  Settings search = {};
  /// Called regularly with the numbers of written and of all weights.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
  /// Called for each checkpoint whose training settings differ from those of the first.
  std::function<void(std::string_view)> warn = {};
};

/// Writes the mean of checkpoints, summed in double precision block by block: memory does not grow
/// with the model.  Throws Error naming the file and the difference unless all have the same
/// arrays, configuration, vocabulary and activation scales, match their digests and have finite
/// weights.  The result
/// has the step of the last file and, under the key awend.average, the names of the files, one per
/// line.
void average(std::span<const std::string> paths, const std::string& output,
             const AverageSettings& settings = {});

}  // namespace awend::store
