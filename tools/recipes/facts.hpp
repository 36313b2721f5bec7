// Random facts that speakers of any two languages can express: the lines of the locale corpus.
#pragma once

#include <functional>

#include "base/random.hpp"
#include "recipes/speaker.hpp"

namespace awend::tools {

/// A fact; expressed by two speakers, it gives two translations.
using Fact = std::function<Speaker::Text(Speaker&)>;

/// A line of about 4 to 16 words: one long fact, or several, of one or more kinds, in a list.
Fact draw_line(base::Random& random);

}  // namespace awend::tools
