// The settings that a table describes (base/field.hpp), as a checkpoint carries them.
#pragma once

#include <span>

#include "base/error.hpp"
#include "base/field.hpp"
#include "store/stored_settings.hpp"

namespace awend::store {

/// All settings that are stored, in the order of the table.
template <class Struct>
Settings settings_of(std::span<const base::Field<Struct>> table, const Struct& object) {
  const Struct defaults{};
  Settings settings;
  for (const auto& field : table) {
    const auto text = field.text(object);
    const bool is_omitted =
        field.about.stored == base::Stored::kUnlessDefault && text == field.text(defaults);
    if (!is_omitted) settings.set(field.about.name, text);
  }
  return settings;
}

/// The inverse.  Throws Error that names the setting if it is missing or not in its domain.  A
/// setting that is not stored if it has its default value may be missing.
template <class Struct>
Struct struct_from(std::span<const base::Field<Struct>> table, const Settings& settings) {
  Struct object{};
  for (const auto& field : table) {
    const auto text = settings.find(field.about.name);
    if (!text && field.about.stored == base::Stored::kUnlessDefault) continue;
    if (!text) base::fail("no setting '", field.about.name, "'");
    base::with_name(base::concat("setting '", field.about.name, "'"), [&] {
      base::require_in_domain(field.domain, *text);
      field.set(object, *text);
    });
  }
  return object;
}

}  // namespace awend::store
