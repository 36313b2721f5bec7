// The functions and classes that a pickle names.  None is ever called, and what it would make is
// ignored, but a user should hear of those that models do not have: they may be an attack, or a
// part of the model that is then missing.
//
// Test: tests/unit/interchange/pickle_objects_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "interchange/model_files.hpp"
#include "store/pickle.hpp"

namespace awend::interchange {

/// What to report about the objects that files of models do not have, naming some of them, in order
/// and once each; nothing if there are none.
std::optional<std::string> unknown_objects(const store::Pickle& pickle);

/// Warns of them, if there are any, in the file `name`.
void warn_of_unknown_objects(ModelFiles& files, const std::string& name,
                             const store::Pickle& pickle);

}  // namespace awend::interchange
