#include "base/json.hpp"

#include <cmath>

#include "base/utf8.hpp"

namespace awend::base {
namespace {

void append_escaped(char c, std::string& out) {
  constexpr std::string_view kShort = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (const auto place = kShort.find(c); place != std::string_view::npos) {
    out += {'\\', kLetters[place]};
  } else if (static_cast<unsigned char>(c) < 0x20) {
    out += concat("\\u00", kDigits[static_cast<unsigned char>(c) >> 4], kDigits[c & 15]);
  } else {
    out += c;
  }
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string valid;
  append_valid_utf8(valid, text);
  std::string quoted = "\"";
  for (const char c : valid) append_escaped(c, quoted);
  return quoted + '"';
}

std::string json_number(double number) {
  return std::isfinite(number) ? concat(number) : "null";
}

JsonObject& JsonObject::value(std::string_view name, std::string_view json) {
  members_ += concat(members_.empty() ? style_.open : style_.separator, json_string(name),
                     style_.colon, json);
  return *this;
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  return this->value(name, json_string(value));
}

JsonObject& JsonObject::number(std::string_view name, double value) {
  return this->value(name, json_number(value));
}

JsonObject& JsonObject::count(std::string_view name, std::uint64_t value) {
  return this->value(name, concat(value));
}

JsonObject& JsonObject::flag(std::string_view name, bool value) {
  return this->value(name, value ? "true" : "false");
}

std::string JsonObject::str() const {
  return members_.empty() ? "{}" : concat(members_, style_.close);
}

}  // namespace awend::base
