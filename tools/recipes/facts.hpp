// Facts drawn by chance, which speakers of any two languages can say: the lines of the locale
// corpus.
#pragma once

#include <functional>

#include "base/random.hpp"
#include "recipes/speaker.hpp"

namespace awend::tools {

/// Something that can be said: the same fact, told to two speakers, gives two translations.
using Fact = std::function<Speaker::Text(Speaker&)>;

/// A line of about 4 to 16 words: one fact that is long in itself, or several, alike or mixed, in a
/// list.
Fact draw_line(base::Random& random);

}  // namespace awend::tools
