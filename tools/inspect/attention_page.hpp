// One page that draws attention (the figures 3 to 5 of the paper), with all that it needs inside:
// it works from a file, and its policy forbids it to ask the network for anything.
//
// What people see is in page/attention.{html,css,js}.  Weights lie in the page as text, two
// characters each (see packed()), since they are most of it.
// Test: tests/unit/inspect/attention_page_test.cpp, tests/cli/inspect_attention.sh.
#pragma once

#include <string>
#include <string_view>

#include "base/lines.hpp"
#include "base/progress.hpp"
#include "store/attention_file.hpp"

namespace awend::tools {

/// Twelve bits a weight, as two characters of base64's alphabet; of causal weights only what lies
/// on and before the diagonal.
enum class Packing { kWhole, kCausal };
std::string packed(const store::AttentionMaps& weights, Packing packing);

/// The page for an attention file; Error "file:line: what" if it is none.  `progress` is told of
/// lines and bytes.
std::string attention_page(base::LineReader& lines, base::Progress* progress = nullptr);

}  // namespace awend::tools
