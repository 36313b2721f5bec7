// Messages that refer to settings of the caller.
//
// The library does not know the options of programs: a message names a setting by its description,
// "reduce the beam size", and a program replaces the description with its option, "reduce
// --beam-size".  Test: tests/unit/base/message_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/concat.hpp"

namespace awend::base {

/// Something that the caller of the library chose, such as the number of tokens in a batch.
struct Setting {
  std::string_view description;  // a literal: a noun phrase with its article

  friend bool operator==(const Setting&, const Setting&) = default;
};

/// How a program spells a setting: "--batch-tokens".
struct SettingName {
  Setting setting;
  std::string_view name;
};

/// Text and settings in order.
class Message {
 public:
  /// The parts are texts, numbers, settings and messages.
  template <class... Parts>
  explicit Message(const Parts&... parts) {
    (add(parts), ...);
  }

  /// The text with a name for each setting; settings without one are described.
  std::string text(std::span<const SettingName> names = {}) const;

 private:
  template <class Part>
  void add(const Part& part) {
    parts_.push_back({concat(part), {}});
  }
  void add(const Setting& setting) { parts_.push_back({{}, setting}); }
  void add(const Message& message) {
    parts_.insert(parts_.end(), message.parts_.begin(), message.parts_.end());
  }

  struct Part {
    std::string text;
    Setting setting;  // empty: the text
  };
  std::vector<Part> parts_;
};

/// "the beam size", "the beam size or the length", "a, b or c".
Message alternatives(std::span<const Setting> settings);

}  // namespace awend::base
