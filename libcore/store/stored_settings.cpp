#include "store/stored_settings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/numbers.hpp"
#include "store/array_file.hpp"
#include "store/json.hpp"

namespace awend::store {
namespace {

using Json = nlohmann::json;

// Lookups are linear, so that a hostile file with millions of settings would take hours.
constexpr std::size_t kMaxSettings = 1000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The number of digits at the beginning of `text`.
std::size_t digits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

// Whether the text is a number by the grammar of JSON: no plus sign, no leading zero, digits on
// both sides of the dot.
bool has_number_grammar(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto whole = digits(text);
  if (whole == 0 || (whole > 1 && text[0] == '0')) return false;
  text.remove_prefix(whole);
  if (text.starts_with('.')) {
    const auto part = digits(text.substr(1));
    if (part == 0) return false;
    text.remove_prefix(1 + part);
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && digits(text) == text.size();
  }
  return text.empty();
}

// Whether the text can be written as a number in JSON and read back with the same digits.  The
// parser would turn -0 into 0, and rejects numbers that are too large for a double.
bool is_json_number(std::string_view text) {
  return has_number_grammar(text) && text != "-0" && base::find_number<double>(text);
}

// Parses one flat object.  The event interface preserves the digits of a number.
class FlatObjectReader : public nlohmann::json_sax<Json> {
 public:
  explicit FlatObjectReader(Settings& settings) : settings_(settings) {}

  bool key(std::string& name) override {
    if (settings_.find(name)) base::fail("'", name, "' is duplicated");
    if (settings_.entries().size() == kMaxSettings)
      base::fail("more than ", kMaxSettings, " settings");
    name_ = name;
    return true;
  }
  bool string(std::string& value) override { return keep(value); }
  bool number_integer(std::int64_t value) override { return keep(base::concat(value)); }
  bool number_unsigned(std::uint64_t value) override { return keep(base::concat(value)); }
  // The parser puts the decimal point of the program's locale into the digits.
  bool number_float(double, const std::string& digits) override {
    auto text = digits;
    for (auto& c : text) {
      if (std::string_view("0123456789+-eE").find(c) == std::string_view::npos) c = '.';
    }
    return keep(text);
  }
  bool boolean(bool value) override { return keep(value ? "true" : "false"); }
  bool null() override { refuse(); }
  bool binary(Json::binary_t&) override { refuse(); }
  bool start_array(std::size_t) override { refuse(); }
  bool end_array() override { return true; }
  bool start_object(std::size_t) override {
    if (inside_) refuse();
    return inside_ = true;
  }
  bool end_object() override { return true; }
  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    base::fail("not JSON at byte ", position);
  }

 private:
  [[noreturn]] void refuse() const {
    if (!inside_) base::fail("the settings are not an object");
    base::fail("setting '", name_, "' is neither a text nor a number");
  }

  bool keep(std::string_view value) {
    if (!inside_) refuse();
    settings_.set(name_, value);
    return true;
  }

  Settings& settings_;
  std::string name_;
  bool inside_ = false;
};

template <class Number>
Number parse(std::string_view name, std::string_view text, std::string_view kind) {
  const auto number = base::find_number<Number>(text);
  if (!number) base::fail("setting '", name, "': '", text, "' is not ", kind);
  return *number;
}

}  // namespace

void Settings::set(std::string_view name, std::string_view value) {
  auto found = std::ranges::find(entries_, name, &std::pair<std::string, std::string>::first);
  if (found != entries_.end()) {
    found->second = value;
  } else {
    entries_.emplace_back(name, value);
  }
}

std::optional<std::string> Settings::find(std::string_view name) const {
  auto found = std::ranges::find(entries_, name, &std::pair<std::string, std::string>::first);
  if (found == entries_.end()) return std::nullopt;
  return found->second;
}

const std::string& Settings::at(std::string_view name) const {
  auto found = std::ranges::find(entries_, name, &std::pair<std::string, std::string>::first);
  if (found == entries_.end()) base::fail("no setting '", name, "'");
  return found->second;
}

double Settings::number(std::string_view name) const {
  return parse<double>(name, at(name), "a number");
}

std::int64_t Settings::integer(std::string_view name) const {
  return parse<std::int64_t>(name, at(name), "a whole number");
}

std::string Settings::to_json() const {
  base::JsonObject object;
  for (const auto& [name, value] : entries_)
    object.value(name, is_json_number(value) ? value : base::json_string(valid_utf8(value)));
  return object.str();
}

Settings Settings::from_json(std::string_view text, std::string_view name) {
  Settings settings;
  FlatObjectReader reader(settings);
  base::with_name(name, [&] { Json::sax_parse(text, &reader); });
  return settings;
}

Settings settings_at(const ArrayFile& file, std::string_view key) {
  return Settings::from_json(file.metadata_at(key), file.path());
}

}  // namespace awend::store
