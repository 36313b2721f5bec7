// A self-contained page that visualizes attention (figures 3 to 5 of the paper): it works from a
// file, and its policy prohibits network access.
//
// The display is in page/attention.{html,css,js}.  Weights are stored in the page as text, two
// characters each (see packed()), since they are most of it. Test:
// tests/unit/inspect/attention_page_test.cpp, tests/cli/inspect_attention.sh.
#pragma once

#include <string>
#include <string_view>

#include "base/lines.hpp"
#include "cli/progress.hpp"
#include "store/attention_file.hpp"

namespace awend::tools {

/// Twelve bits per weight, as two characters of base64's alphabet; of causal weights only those up
/// to the diagonal.
enum class Packing { kWhole, kCausal };
std::string packed(const store::AttentionMaps& weights, Packing packing);

/// The page for an attention file; Error "file:line: what" if it is not one.  `progress` receives
/// lines and bytes.
std::string attention_page(base::LineReader& lines, cli::Progress* progress = nullptr);

}  // namespace awend::tools
