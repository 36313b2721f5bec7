#include "base/message.hpp"

#include <algorithm>

namespace awend::base {

Message::Message() = default;
Message::Message(const Message&) = default;
Message::Message(Message&&) noexcept = default;
Message& Message::operator=(const Message&) = default;
Message& Message::operator=(Message&&) noexcept = default;
Message::~Message() = default;

void Message::add(std::string_view text) {
  parts_.push_back({std::string(text), {}});
}

void Message::add(const Setting& setting) {
  parts_.push_back({{}, setting});
}

void Message::add(const Message& message) {
  parts_.insert(parts_.end(), message.parts_.begin(), message.parts_.end());
}

std::string Message::text(std::span<const SettingName> names) const {
  std::string text;
  for (const auto& part : parts_) {
    const auto named = std::ranges::find(names, part.setting, &SettingName::setting);
    text += part.text;
    text += named == names.end() ? part.setting.description : named->name;
  }
  return text;
}

Message alternatives(std::span<const Setting> settings) {
  Message message;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto* separator = i == 0 ? "" : i + 1 == settings.size() ? " or " : ", ";
    message = Message(message, separator, settings[i]);
  }
  return message;
}

}  // namespace awend::base
