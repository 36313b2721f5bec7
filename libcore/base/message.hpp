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

/// Text and settings in order.  Nearly all sources include this class, and few of their
/// instructions are errors: it has no inline function that would be compiled each time.
class Message {
 public:
  Message();
  /// The parts are texts, numbers, settings and messages.
  template <class... Parts>
  [[gnu::cold]] explicit Message(const Parts&... parts) : Message() {
    (add(parts), ...);
  }
  Message(const Message&);
  Message(Message&&) noexcept;
  Message& operator=(const Message&);
  Message& operator=(Message&&) noexcept;
  ~Message();

  /// The text with a name for each setting; settings without one are described.
  std::string text(std::span<const SettingName> names = {}) const;

 private:
  void add(std::string_view text);
  void add(char character) { add(std::string_view(&character, 1)); }
  void add(const Setting& setting);
  void add(const Message& message);
  template <Number Value>
  void add(Value number) {
    add(std::string_view(concat(number)));
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
