// The weights of a Transformer as arrays of Marian.
//
// Test: tests/unit/interchange/export_test.cpp, tests/unit/interchange/marian_int8_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interchange/converted_model.hpp"
#include "model/weight_layout.hpp"
#include "store/marian_binary.hpp"

namespace awend::interchange {

/// The types of the arrays, which depend on the program that reads them.
enum class MarianForm {
  kFloat32,
  /// The matrices of layers have 8 bits.  Marian reads embeddings in fp32 only.
  kInt8,
  /// For the fork of Marian in Firefox: embeddings have 8 bits, too, and fixed scales of the
  /// activations are written if the model has them.
  kFirefox,
};

/// The end of the names of fixed scales, which begin with the name of a matrix.
inline constexpr std::string_view kMarianScaleEnd = "_QuantMultA";
/// The name of the output matrix in a product with a shortlist.
inline constexpr std::string_view kMarianUnnamedMatrix = "none";

/// Arrays each of which is made when it is written.  The model must outlive them.
class MarianArrays {
 public:
  MarianArrays(const ConvertedModel& model, MarianForm form);
  MarianArrays(const MarianArrays&) = delete;
  MarianArrays& operator=(const MarianArrays&) = delete;

  std::span<const store::MarianArray> all() const { return arrays_; }

 private:
  void add(const model::WeightShape& weight);
  void add_output_bias();
  void add_zeros(const std::string& prefix);
  void add_scale(const std::string& matrix, float scale);
  bool has(std::string_view name) const;
  store::Type type_of(const model::WeightShape& weight) const;

  const ConvertedModel& model_;
  const model::Config& config_;
  MarianForm form_;
  std::vector<std::uint32_t> target_, source_;
  std::vector<store::MarianArray> arrays_;
};

/// Marian has no masked ids; a bias has the same effect.
bool has_marian_output_bias(const model::Config& config);

/// Whether the weight is a matrix of a layer; not an embedding, a bias or a gain.
bool is_layer_matrix(const model::WeightShape& weight);
/// Whether the logits are products with this weight.
bool is_output_matrix(const model::Config& config, const model::WeightShape& weight);

/// For each id that Marian shall have, the id of the vocabulary: the end is 0, unknown is 1.
std::vector<std::uint32_t> marian_order(const text::Vocabulary& vocabulary);

}  // namespace awend::interchange
