#include "interchange/foreign_settings.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "store/json_text.hpp"

namespace awend::interchange {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

/// A value without quotes and tag.
std::string_view unquoted(std::string_view value) {
  if (value.starts_with('!')) {
    value.remove_prefix(std::min(value.find(' '), value.size()));
    value = trimmed(value);
  }
  const bool is_quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                         value.front() == value.back();
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

/// Reads YAML of nested keys with scalars and lists of scalars.
class YamlReader {
 public:
  explicit YamlReader(std::map<std::string, std::string, std::less<>>& values) : values_(values) {}

  void read(std::string_view line) {
    const auto indent = line.find_first_not_of(' ');
    const auto content = trimmed(line);
    const bool is_tag = content.starts_with('!') && content.find(' ') == content.npos;
    if (content.empty() || is_tag || content.starts_with('#') || content.starts_with("---")) return;
    if (content == "-" || content.starts_with("- ")) return add_item(content.substr(1));
    const auto colon = content.find(':');
    if (colon == content.npos || (colon + 1 < content.size() && content[colon + 1] != ' ')) {
      // "[]" alone is the value of the key before.
      return add_item(content == "[]" ? "" : content);
    }
    while (!keys_.empty() && keys_.back().first >= indent) keys_.pop_back();
    // Deeper levels than any configuration has would make long names.
    if (keys_.size() > 8) base::fail("nested more than 8 levels deep");
    std::string name = keys_.empty() ? "" : keys_.back().second + ".";
    name += unquoted(content.substr(0, colon));
    keys_.emplace_back(indent, name);
    const auto value = trimmed(content.substr(colon + 1));
    values_[name] = value == "[]" ? "" : unquoted(value);
  }

 private:
  void add_item(std::string_view item) {
    item = unquoted(trimmed(item));
    if (keys_.empty()) base::fail("an item without a key");
    std::string& value = values_[keys_.back().second];
    if (!value.empty() && !item.empty()) value += ',';
    value += item;
  }

  std::map<std::string, std::string, std::less<>>& values_;
  std::vector<std::pair<std::size_t, std::string>> keys_;  // indentation and name of open keys
};

// Many values of a pickle can be the same long text.
constexpr std::size_t kMaxTextBytes = std::size_t{16} << 20;

void check_size(std::size_t bytes) {
  if (bytes > kMaxTextBytes) base::fail("the settings are longer than ", kMaxTextBytes, " bytes");
}

std::string text_of(const store::Pickle& pickle, store::PickleId id) {
  if (const auto* text = pickle.find<std::string>(id)) return *text;
  if (const auto* number = pickle.find<std::int64_t>(id)) return base::concat(*number);
  if (const auto* number = pickle.find<double>(id)) return base::concat(*number);
  if (const auto* flag = pickle.find<bool>(id)) return *flag ? "true" : "false";
  if (pickle.find<store::PickleNone>(id) != nullptr) return "null";
  const auto* list = pickle.find<store::PickleList>(id);
  if (list == nullptr) return pickle.name_of(id).empty() ? "{...}" : pickle.name_of(id);
  std::string text;
  for (const auto item : list->items) {
    if (!text.empty()) text += ',';
    const auto* word = pickle.find<std::string>(item);
    const auto* number = pickle.find<std::int64_t>(item);
    text += word != nullptr ? *word : number != nullptr ? base::concat(*number) : "...";
    check_size(text.size());
  }
  return text;
}

}  // namespace

ForeignSettings ForeignSettings::from_json(std::string_view text) {
  ForeignSettings settings;
  settings.values_ = store::json_members(text);
  return settings;
}

ForeignSettings ForeignSettings::from_yaml(std::string_view text) {
  ForeignSettings settings;
  YamlReader reader(settings.values_);
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    reader.read(line);
  }
  return settings;
}

ForeignSettings ForeignSettings::from_pickle(const store::Pickle& pickle, store::PickleId id) {
  ForeignSettings settings;
  std::size_t bytes = 0;
  for (const auto& [key, value] : pickle.pairs(id)) {
    const auto* name = pickle.find<std::string>(key);
    if (name == nullptr) continue;
    auto text = text_of(pickle, value);
    check_size(bytes += name->size() + text.size());
    settings.values_[*name] = std::move(text);
  }
  return settings;
}

const std::string* ForeignSettings::take(std::string_view name) {
  const auto found = values_.find(name);
  if (found == values_.end()) return nullptr;
  known_.emplace(name);
  return &found->second;
}

std::string ForeignSettings::text(std::string_view name) {
  const auto* value = take(name);
  if (value == nullptr) base::fail("no setting '", name, "'");
  return *value;
}

std::string ForeignSettings::text(std::string_view name, std::string_view otherwise) {
  const auto* value = take(name);
  return std::string(value == nullptr ? otherwise : *value);
}

std::uint32_t ForeignSettings::count(std::string_view name) {
  const auto value = text(name);
  const auto number = base::find_number<std::uint32_t>(value);
  if (!number) base::fail("setting '", name, "': '", value, "' is not a natural number");
  return *number;
}

std::uint32_t ForeignSettings::count(std::string_view name, std::uint32_t otherwise) {
  return text(name, "null") == "null" ? otherwise : count(name);
}

double ForeignSettings::real(std::string_view name, double otherwise) {
  const auto* const value = take(name);
  if (value == nullptr || *value == "null") return otherwise;
  const auto number = base::find_number<double>(*value);
  if (!number) base::fail("setting '", name, "': '", *value, "' is not a number");
  return *number;
}

bool ForeignSettings::is_on(std::string_view name, Default otherwise) {
  const auto* value = take(name);
  if (value == nullptr) return otherwise == Default::kOn;
  if (*value == "null") return false;
  if (*value == "true" || *value == "True") return true;
  if (*value == "false" || *value == "False") return false;
  base::fail("setting '", name, "': '", *value, "' must be true or false");
}

void ForeignSettings::require(std::string_view name, std::initializer_list<std::string_view> values,
                              std::string_view what) {
  const auto* value = take(name);
  if (value == nullptr || std::ranges::find(values, *value) != values.end()) return;
  base::fail("setting '", name, "' is '", *value, "': ", what, " is not supported");
}

void ForeignSettings::ignore(std::initializer_list<std::string_view> names) {
  for (auto name : names) {
    const bool is_prefix = name.ends_with('*');
    if (is_prefix) name.remove_suffix(1);
    for (auto it = values_.lower_bound(name); it != values_.end() && it->first.starts_with(name);
         ++it) {
      if (is_prefix || it->first == name) known_.insert(it->first);
    }
  }
}

void ForeignSettings::require_known(std::initializer_list<std::string_view> prefixes) const {
  for (const auto& setting : values_) {
    const bool concerns = std::ranges::any_of(
        prefixes, [&](std::string_view prefix) { return setting.first.starts_with(prefix); });
    if (concerns && !known_.contains(setting.first)) {
      base::fail("setting '", setting.first, "' (", setting.second.substr(0, 40), ") is not known");
    }
  }
}

}  // namespace awend::interchange
