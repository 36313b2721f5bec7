#include "decode/quality_pairs.hpp"

#include <algorithm>

namespace awend::decode {

void QualityPairs::set_source(std::string_view source) {
  vectors_.clear();
  source_ = estimator_.vectors_of({&source, 1}).front();
}

void QualityPairs::encode(std::span<const std::string_view> texts) {
  std::vector<std::string_view> fresh;
  for (const auto text : texts) {
    if (!vectors_.contains(text)) fresh.push_back(text);
  }
  auto vectors = estimator_.vectors_of(fresh);
  for (std::size_t i = 0; i < fresh.size(); ++i) vectors_.emplace(fresh[i], std::move(vectors[i]));
}

std::vector<const TextVector*> QualityPairs::vectors_of(
    std::span<const std::string_view> texts) const {
  std::vector<const TextVector*> vectors;
  for (const auto text : texts) vectors.push_back(&vectors_.find(text)->second);
  return vectors;
}

void QualityPairs::score(std::span<const std::string_view> translations,
                         std::span<const std::string_view> references, std::span<double> values) {
  encode(translations);
  encode(references);
  std::ranges::copy(estimator_.score(source_, vectors_of(translations), vectors_of(references)),
                    values.begin());
}

}  // namespace awend::decode
