// Tables of text, with lines around the cells or for LaTeX: the first column right-aligned, the
// others centered.
//
// Test: tests/unit/metrics/report_test.cpp.
#pragma once

#include <string>
#include <vector>

namespace awend::metrics {

/// A cell may have several lines.
using Lines = std::vector<std::string>;
/// The first row is the heading.
using Rows = std::vector<std::vector<Lines>>;

std::string text_table(const Rows& rows);

/// The lines of a cell are joined.
std::string latex_table(Rows rows);

}  // namespace awend::metrics
