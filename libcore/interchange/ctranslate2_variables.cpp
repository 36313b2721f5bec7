#include "interchange/ctranslate2_variables.hpp"

#include "base/error.hpp"

namespace awend::interchange {
namespace {

bool is_floating_point(store::Type type) {
  using store::Type;
  return type == Type::F64 || type == Type::F32 || type == Type::F16 || type == Type::BF16;
}

}  // namespace

CTranslate2Flags::CTranslate2Flags(store::StridedArrays& variables) {
  for (auto it = variables.begin(); it != variables.end();) {
    // Of matrices of integers.
    const bool is_scale = it->first.ends_with("_scale") && !it->first.ends_with("/queries_scale");
    if (it->second.shape.empty() && !is_scale) {
      values_[it->first] = {store::to_floats(it->second).front(),
                            is_floating_point(it->second.type)};
      it = variables.erase(it);
    } else {
      ++it;
    }
  }
}

std::optional<CTranslate2Scalar> CTranslate2Flags::take(const std::string& name) {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  const auto scalar = found->second;
  values_.erase(found);
  return scalar;
}

float CTranslate2Flags::take(const std::string& name, float otherwise) {
  const auto scalar = take(name);
  return scalar ? scalar->value : otherwise;
}

void CTranslate2Flags::require(const std::string& name, float value) {
  const float found = take(name, value);
  if (found != value) base::fail("variable '", name, "' is ", found, ", which is not supported");
}

void CTranslate2Flags::require_all_known() const {
  if (!values_.empty()) base::fail("variable '", values_.begin()->first, "' is not known");
}

std::map<std::string, std::vector<float>> take_scales(store::CTranslate2Items& items) {
  auto& variables = items.variables;
  constexpr std::string_view kEnd = "_scale";
  std::map<std::string, std::vector<float>> scales;
  for (auto it = variables.begin(); it != variables.end();) {
    if (!it->first.ends_with(kEnd)) {
      ++it;
      continue;
    }
    scales.emplace(it->first.substr(0, it->first.size() - kEnd.size()),
                   store::to_floats(it->second));
    it = variables.erase(it);
  }
  for (const auto& [alias, name] : items.aliases) {
    if (const auto found = scales.find(name); found != scales.end()) scales[alias] = found->second;
  }
  return scales;
}

void dequantize(const std::vector<float>& scales, std::vector<float>& values) {
  if (scales.empty() || values.size() % scales.size() != 0)
    base::fail("its scales do not match its rows");
  const std::size_t columns = values.size() / scales.size();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] /= scales[i / columns];
}

}  // namespace awend::interchange
