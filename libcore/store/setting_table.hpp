// The settings that a table describes (base/setting.hpp), as a checkpoint carries them.
#pragma once

#include <span>

#include "base/error.hpp"
#include "base/setting.hpp"
#include "store/settings.hpp"

namespace awend::store {

/// All settings that are stored, in the order of the table.
template <class Struct>
Settings settings_of(std::span<const base::Setting<Struct>> table, const Struct& object) {
  const Struct defaults{};
  Settings settings;
  for (const auto& setting : table) {
    const auto text = setting.text(object);
    const bool is_omitted =
        setting.about.stored == base::Stored::kNever ||
        (setting.about.stored == base::Stored::kUnlessDefault && text == setting.text(defaults));
    if (!is_omitted) settings.set(setting.about.name, text);
  }
  return settings;
}

/// The inverse.  Throws Error that names the setting if it is missing or not in its domain.  A
/// setting that is not stored if it has its default value may be missing.
template <class Struct>
Struct struct_from(std::span<const base::Setting<Struct>> table, const Settings& settings) {
  Struct object{};
  for (const auto& setting : table) {
    if (setting.about.stored == base::Stored::kNever) continue;
    const auto text = settings.find(setting.about.name);
    if (!text && setting.about.stored == base::Stored::kUnlessDefault) continue;
    if (!text) base::fail("no setting '", setting.about.name, "'");
    try {
      base::require_in_domain(setting.domain, *text);
      setting.set(object, *text);
    } catch (const base::Error& error) {
      base::fail("setting '", setting.about.name, "': ", error.what());
    }
  }
  return object;
}

}  // namespace awend::store
