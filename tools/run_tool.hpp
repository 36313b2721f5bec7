// What the source file of a tool must define; run_tool.cpp contains the main() that calls it.
//
// main() parses the options, handles --help and --version, and turns exceptions into messages and
// exit codes: Error prints one line on stderr and exits with status 1, UsageError with status 2; a
// closed pipe prints nothing.  Only run_tool prints errors or exits.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace awend::tools {

/// The tool's name, purpose and table of options.
const cli::ToolDescription& tool();

/// The text of an error, in which the options of the tool replace the settings of the library.
std::string message_of(const base::Error& error);

/// Does the work.  Writes its output through base::OutputFile and commits it; throws base::Error.
void run(const cli::Options& options);

}  // namespace awend::tools
