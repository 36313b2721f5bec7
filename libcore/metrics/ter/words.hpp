// The words that TER counts, by tercom's rules as implemented in sacreBLEU.
//
// Test: tests/unit/metrics/ter/ter_words_test.cpp, against sacreBLEU's own outputs.
#pragma once

#include <string>
#include <string_view>

namespace awend::metrics {

struct TerSettings {
  bool case_sensitive = false;
  bool normalized = false;  // entities decoded, marks separated
  bool no_punct = false;    // marks deleted
  /// With `normalized`, CJK characters are separated; with `no_punct`, CJK marks are deleted.
  bool asian_support = false;
};

/// The line with white space between its words.  `line` itself if nothing changes; otherwise a
/// view of `buffer`.
std::string_view ter_text(std::string_view line, const TerSettings& settings, std::string& buffer);

}  // namespace awend::metrics
