// How models are opened for translation or encoding.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/lines.hpp"
#include "decode/search_settings.hpp"
#include "decode/shortlist_file.hpp"
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

inline constexpr base::RealRange kEnsembleWeightRange{0, 1e6};

struct EnsembleSettings {
  nn::Mixing mixing = nn::Mixing::kLinear;
  std::vector<double> weights = {};  ///< One for each model; empty: equal weights.
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
