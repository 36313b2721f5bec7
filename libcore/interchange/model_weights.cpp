#include "interchange/model_weights.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/mapped_file.hpp"

namespace awend::interchange {

std::vector<std::string> ModelWeights::names() const {
  std::vector<std::string> names;
  for (const auto& [name, weight] : weights_) names.push_back(name);
  return names;
}

void ModelWeights::refer(const std::string& name, std::span<const float> values) {
  weights_[name] = {.values = std::nullopt, .kept = values, .is_mapped = true};
}

void ModelWeights::emplace(const std::string& name, const Values& values) {
  if (!contains(name)) set(name, values);
}

void ModelWeights::set(const std::string& name, const Values& values) {
  const auto bytes = spilled_.keep(std::as_bytes(std::span(values)));
  weights_[name] = {
      .values = std::nullopt,
      .kept = {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)}};
}

ModelWeights::Values& ModelWeights::operator[](const std::string& name) {
  auto& weight = weights_[name];
  if (!weight.values) weight.values.emplace(weight.kept.begin(), weight.kept.end());
  return *weight.values;
}

void ModelWeights::erase(std::string_view name) {
  const auto found = weights_.find(name);
  if (found != weights_.end()) weights_.erase(found);
}

std::span<const float> ModelWeights::view(std::string_view name) const {
  const auto found = weights_.find(name);
  base::check(found != weights_.end(), "a converted model has all weights");
  return found->second.values ? std::span<const float>(*found->second.values) : found->second.kept;
}

ModelWeights::Values ModelWeights::at(std::string_view name) const {
  Values copy;
  copy.reserve(view(name).size());
  for_parts(name, 1, [&](std::span<const float> part) {
    copy.insert(copy.end(), part.begin(), part.end());
  });
  return copy;
}

void ModelWeights::forget(std::string_view name, std::span<const float> part) const {
  const auto& weight = weights_.find(name)->second;
  if (weight.is_mapped && !weight.values) {
    base::forget_mapped(std::as_bytes(part));
  } else {
    spilled_.forget();
  }
}

bool ModelWeights::operator==(const ModelWeights& other) const {
  return names() == other.names() && std::ranges::all_of(names(), [&](const std::string& name) {
           return std::ranges::equal(std::as_bytes(view(name)), std::as_bytes(other.view(name)));
         });
}

}  // namespace awend::interchange
