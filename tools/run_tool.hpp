// What a tool's source file must define; run_tool.cpp holds the one main() that calls it.
//
// main() parses the options, answers --help and --version, and turns what is thrown into manners:
// Error is one line on stderr and status 1, UsageError status 2, a closed pipe silence.  Only
// run_tool prints errors or exits.
#pragma once

#include "base/options.hpp"

namespace awend::tools {

/// The tool's name, purpose and table of options.
const base::ToolDescription& tool();

/// Does the work.  Writes its output through base::OutputFile and commits it; throws base::Error.
void run(const base::Options& options);

}  // namespace awend::tools
