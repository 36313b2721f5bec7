// The settings of a model of another toolkit: names and values as text.  A reader takes each, or
// states which are harmless; any other is an Error, so that no difference between models is
// ignored.
//
// Test: tests/unit/interchange/foreign_settings_test.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/words.hpp"
#include "store/pickle.hpp"

namespace awend::interchange {

enum class Default { kOff, kOn };

class ForeignSettings {
 public:
  /// The scalars of a JSON object by name; other values as their JSON text.
  static ForeignSettings from_json(std::string_view text);
  /// The lines `key: value` of YAML as Marian and Sockeye write it; a nested key is "outer.inner",
  /// and a list is "a,b".
  static ForeignSettings from_yaml(std::string_view text);
  /// The attributes of an object, or the items of a dictionary, whose names and values are plain.
  static ForeignSettings from_pickle(const store::Pickle& pickle, store::PickleId id);

  bool has(std::string_view name) const { return values_.contains(name); }
  void set(const std::string& name, const std::string& value) { values_[name] = value; }

  /// The value; throws Error "no setting 'NAME'" if there is none.
  std::string text(std::string_view name);
  /// The value, or a default.
  std::string text(std::string_view name, std::string_view otherwise);
  std::uint32_t count(std::string_view name);
  /// Null and a missing setting are the default.
  std::uint32_t count(std::string_view name, std::uint32_t otherwise);
  double real(std::string_view name, double otherwise);
  /// Whether the value is true; a missing setting is the default, and null is false, as in Python.
  bool is_on(std::string_view name, Default otherwise = Default::kOff);

  /// Throws Error naming the setting and `what` it is unless it is missing or one of these.
  void require(std::string_view name, std::initializer_list<std::string_view> values,
               std::string_view what);
  /// These have no effect on a trained model.  A name that ends in * matches all names that begin
  /// so.
  void ignore(std::initializer_list<std::string_view> names);
  /// Throws Error naming the first setting that was neither taken nor ignored.
  void require_all_known() const { require_known({""}); }
  /// The same for settings whose names begin with one of these.
  void require_known(std::initializer_list<std::string_view> prefixes) const;

 private:
  const std::string* take(std::string_view name);

  std::map<std::string, std::string, std::less<>> values_;
  std::set<std::string, std::less<>> known_;
};

/// The value of a text in a constant array of base::Word.  Throws Error naming the setting if it is
/// none of the words.
template <const auto& kWords>
auto word_in(std::string_view setting, std::string_view text) {
  for (const auto& word : kWords) {
    if (word.text == text) return word.value;
  }
  base::fail("setting '", setting, "': '", text, "' is not supported");
}

}  // namespace awend::interchange
