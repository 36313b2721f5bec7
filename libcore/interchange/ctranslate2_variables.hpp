// The variables of a model of CTranslate2 that are not weights: flags, and the factors of quantized
// weights.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/ctranslate2_binary.hpp"

namespace awend::interchange {

/// A flag, or a factor, which the format distinguishes by their types.
struct CTranslate2Scalar {
  float value;
  bool is_factor;  ///< Whether its type is one of floating point.
};

/// The scalars among the variables, each of which must be known.
class CTranslate2Flags {
 public:
  /// Removes them from the variables.
  explicit CTranslate2Flags(store::StridedArrays& variables);
  std::optional<CTranslate2Scalar> take(const std::string& name);
  float take(const std::string& name, float otherwise);
  /// Throws Error unless the value is missing or this one.
  void require(const std::string& name, float value);
  void require_all_known() const;

 private:
  std::map<std::string, CTranslate2Scalar> values_;
};

/// By variable; removes them from the variables.
std::map<std::string, std::vector<float>> take_scales(store::CTranslate2Items& items);

/// Divides each row by its factor.  Throws Error if there is no factor for each row.
void dequantize(const std::vector<float>& scales, std::vector<float>& values);

}  // namespace awend::interchange
