// COMET of all pairs of translations of a source, for decoding by it: each text is encoded once,
// and only the estimator runs for each pair.
//
// Test: tests/cli/comet.sh.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "decode/quality_estimator.hpp"

namespace awend::decode {

class QualityPairs {
 public:
  /// Requires: estimator.encodes_texts_alone().  It must outlive the object.
  explicit QualityPairs(QualityEstimator& estimator) : estimator_(estimator) {}

  /// The source of the texts that follow; those before are forgotten.
  void set_source(std::string_view source);
  /// Sets values[i * references.size() + k] to the score of translation i with reference k.
  void score(std::span<const std::string_view> translations,
             std::span<const std::string_view> references, std::span<double> values);

 private:
  void encode(std::span<const std::string_view> texts);
  std::vector<const TextVector*> vectors_of(std::span<const std::string_view> texts) const;

  QualityEstimator& estimator_;
  TextVector source_;
  std::map<std::string, TextVector, std::less<>> vectors_;  // of the texts so far
};

}  // namespace awend::decode
