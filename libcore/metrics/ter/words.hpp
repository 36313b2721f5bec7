// The words that TER counts, by tercom's rules as sacreBLEU has them.
//
// Test: tests/unit/metrics/ter_words_test.cpp, against sacreBLEU's own outputs.
#pragma once

#include <string>
#include <string_view>

namespace awend::metrics {

struct TerSettings {
  bool case_sensitive = false;
  bool normalized = false;     // entities undone, marks set apart
  bool no_punct = false;       // marks deleted
  bool asian_support = false;  // with `normalized`, CJK characters set apart; with `no_punct`,
                               // CJK marks deleted too
};

/// The line with white space between its words.  Where nothing changes, `line` itself; else a view
/// into `buffer`.
std::string_view ter_text(std::string_view line, const TerSettings& settings, std::string& buffer);

}  // namespace awend::metrics
