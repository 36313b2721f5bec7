// Models of other toolkits, recognized by their content.
//
// Test: tests/properties/foreign_models_test.cpp, tests/unit/interchange/model_files_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interchange/converted_model.hpp"
#include "interchange/model_files.hpp"

namespace awend::interchange {

enum class Format { kMarian, kHuggingFace, kCTranslate2, kFairseq, kOpenNmt, kSockeye };

/// "Marian", "Hugging Face", …
std::string_view name_of(Format format);

struct FoundModel {
  Format format;
  std::string name;  ///< The file with the weights.
};

/// The model in a directory, or in a file and those next to it.  Throws Error if there is none, or
/// more than one.
FoundModel find_model(ModelFiles& files);

/// The format of a file or directory, if it is a model of another toolkit; never throws.
std::optional<Format> foreign_format_of(const std::string& path);

struct ReadOptions {
  /// Whether the end of a sentence is appended to the source; default: as the files tell.
  std::optional<model::Switch> source_end = std::nullopt;
  /// How a MarianMT computes positions and norms.  OPUS-MT's models were trained by Marian, whose
  /// sinusoids and epsilon differ from those of transformers; only a model with those of Marian can
  /// be written for it.
  enum class MarianMt { kAsTransformers, kAsMarian } marian_mt = MarianMt::kAsTransformers;
};

/// Finds and reads a model.  Throws Error if it does not have a setting among the options.
ConvertedModel read_model(ModelFiles& files, const ReadOptions& options = {});

}  // namespace awend::interchange
