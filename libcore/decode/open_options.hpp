// How models are opened for translation or encoding.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/lines.hpp"
#include "decode/search_settings.hpp"
#include "nn/element.hpp"
#include "nn/mixing.hpp"

namespace awend::base {
class Report;
}

namespace awend::decode {

/// Where a model computes.
struct DeviceOptions {
  std::string name = {};  ///< As nn::DeviceChoice; empty: the best GPU, or the processor.
  unsigned threads = 0;   ///< Of the processor; 0: one for each core.
  nn::Element precision = nn::Element::kFloat32;  ///< Of the operands of matrix products.
};

/// Codes or tokens of languages; empty: lines begin with their tokens.
struct LanguageNames {
  std::string source = {}, target = {};
};

struct EnsembleSettings {
  nn::Mixing mixing = nn::Mixing::kLinear;
  std::vector<double> weights = {};  ///< One for each model; empty: equal weights.
};

/// A file of tokens to which the output is restricted, one per line; or a lexical shortlist, which
/// has them for each source word: lines `target source probability`, or Marian's binary form.
struct ShortlistFile {
  std::string path = {};  ///< Empty: the shortlist of the model, if it has one.
  bool is_off = false;    ///< All tokens are allowed.
  base::InvalidUtf8 invalid = base::InvalidUtf8::kError;
  /// Of lines with probabilities: the most frequent tokens are always allowed …
  std::optional<std::uint32_t> first = std::nullopt;  ///< Default: 100.
  /// … and the best tokens of each source word, with more than this probability.
  std::optional<std::uint32_t> best = std::nullopt;  ///< Default: 100.
  std::optional<double> threshold = std::nullopt;    ///< Default: 0.
};

struct OpenOptions {
  DeviceOptions device = {};
  LanguageNames languages = {};
  EnsembleSettings ensemble = {};
  ShortlistFile shortlist = {};
  /// Called once, before the weights are read, with the settings that the model has: it changes
  /// what it likes.  `special` and `shortlist` are set later.
  std::function<void(TranslatorSettings&)> settings = {};
  /// For warnings about devices and lines; null: there are none.  It must outlive the model.
  const base::Report* report = nullptr;
};

}  // namespace awend::decode
