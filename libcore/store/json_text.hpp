// Writing JSON by hand, and one text out of JSON that others wrote; callers see no library.
// Test: tests/unit/store/json_text_test.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awend::store {

/// The text between quotation marks.  Throws Error if it is not UTF-8.
std::string json_text(std::string_view text);

/// The shortest form that reads back as the number; null if it is not finite.
std::string json_number(double number);

/// [a,b,c] of values that are JSON.
std::string json_list(const std::vector<std::string>& values);

/// An object, its members in the order in which they come.
class JsonObject {
 public:
  JsonObject& text(std::string_view name, std::string_view value);
  JsonObject& number(std::string_view name, double value);
  JsonObject& count(std::string_view name, std::uint64_t value);
  /// A value that is JSON.
  JsonObject& value(std::string_view name, std::string_view json);
  std::string str() const { return members_ + (members_.empty() ? "{}" : "}"); }

 private:
  std::string members_;
};

/// The text at the end of a path of members, as {"a":{"b":"text"}} has at {"a", "b"}; nothing if
/// there is none, or if this is not JSON.
std::optional<std::string> json_text_at(std::string_view json,
                                        std::initializer_list<std::string_view> path);

}  // namespace awend::store
