// The conformance data: what the reference programs print, in the directory $AWEND_CONFORMANCE,
// which is not part of the project.
//
// Tests that use it have the tag [conformance] and run as separate tests of ctest, which are
// skipped if there is no such directory.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace awend::tests {

/// The path of a file in $AWEND_CONFORMANCE, possibly with .gz appended; nothing, and a part of the
/// test is left out, if there is no such directory.  Throws if the directory lacks the file.
std::optional<std::string> conformance_file(const std::string& name);

/// The number of parts of tests that were left out, because what they need is not there.
unsigned& parts_left_out();

/// What a command of the shell prints; throws unless its status is 0.
std::string output_of(const std::string& command);

/// The path of a program of the build, in the directory $AWEND_BIN, which ctest sets.
std::string program(const std::string& name);

/// The bytes of a file, unpacked if its name ends in .gz.
std::string read_conformance(const std::string& path);

/// The lines of a file.
std::vector<std::string> read_lines(const std::string& path);

/// The JSON values of a file that has one a line.
///
/// Callers include the header of nlohmann/json, which takes seconds to compile and which others do
/// without.
std::vector<nlohmann::json> read_json_lines(const std::string& path);

/// The JSON value of a file.
nlohmann::json read_json(const std::string& path);

}  // namespace awend::tests
