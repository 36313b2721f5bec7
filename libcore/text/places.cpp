#include "text/places.hpp"

#include <string>

#include "base/numbers.hpp"
#include "text/spaced_words.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

// The text to search for.
std::string surface_of(std::string_view token, std::string_view separator) {
  if (token.size() == 6 && token.starts_with("<0x") && token.ends_with('>')) {
    if (const auto byte = base::find_hexadecimal_byte(token.substr(3, 2)))
      return std::string(1, static_cast<char>(*byte));
  }
  if (!separator.empty()) {
    const bool goes_on = token.size() > separator.size() && token.ends_with(separator);
    return std::string(token.substr(0, token.size() - (goes_on ? separator.size() : 0)));
  }
  std::string surface(token);
  for (std::size_t at = 0; (at = surface.find(kSpaceMarker, at)) != std::string::npos; ++at)
    surface.erase(at + 1, kSpaceMarker.size() - 1), surface[at] = ' ';
  return surface;
}

}  // namespace

std::vector<PlacedToken> place_tokens(std::string_view tokens, std::string_view line,
                                      std::string_view separator) {
  std::vector<PlacedToken> placed;
  std::size_t position = 0;
  // After tokens that were not found, the next one may be slightly later in the line.
  std::size_t slack = 0;
  for_each_word(tokens, [&](std::string_view token) {
    std::string surface = surface_of(token, separator);
    // The space that represents the beginning of the line is not in the line.
    if (placed.empty() && separator.empty() && surface.starts_with(' ')) surface.erase(0, 1);
    const std::size_t space = line.substr(position).find_first_not_of(" \t");
    const std::size_t reach = surface.size() + slack + (space == line.npos ? 0 : space);
    const std::size_t found = line.substr(position, reach).find(surface);
    if (found == std::string_view::npos) {
      slack += 16;
      placed.push_back({token, std::nullopt});
      return;
    }
    slack = 0;
    position += found + surface.size();
    placed.push_back({token, {{position - surface.size(), position}}});
  });
  return placed;
}

}  // namespace awend::text
