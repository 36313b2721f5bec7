// Settings: an ordered list of names and values, both text, which is the configuration in a
// checkpoint.
//
// In a checkpoint, it is a JSON object under the key awend.config.  A value that is a JSON number
// is written as one, for other programs; its digits are preserved.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/concat.hpp"

namespace awend::store {

class ArrayFile;

class Settings {
 public:
  /// Sets a value; a new name is appended, an existing one keeps its position.
  void set(std::string_view name, std::string_view value);

  /// The same, in the shortest decimal form that reads back as the same number.
  template <class Number>
  requires(std::integral<Number> && !std::same_as<Number, bool>) ||
      std::floating_point<Number> void set(std::string_view name, Number value) {
    set(name, std::string_view(base::concat(value)));
  }

  /// The value, or nothing.
  std::optional<std::string> find(std::string_view name) const;

  /// The value; throws Error "no setting 'NAME'" if there is none.
  const std::string& at(std::string_view name) const;

  /// The value as a number; throws Error naming the setting if it is missing or is not one.
  double number(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;

  const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }

  /// One line: {"d_model":512,"norm":"post"}
  std::string to_json() const;

  /// Parses the output of to_json(), or any JSON object of at most 1000 strings, numbers and
  /// booleans. Throws Error starting with `name` (the name of the file) for any other text.
  static Settings from_json(std::string_view text, std::string_view name);

  bool operator==(const Settings&) const = default;

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

/// Those under a key of the metadata.  Throws Error naming the file if there are none.
Settings settings_at(const ArrayFile& file, std::string_view key);

}  // namespace awend::store
