// The conformance data: what the reference programs print, in the directory $AWEND_CONFORMANCE,
// which is not part of the project.
//
// Tests that use it have the tag [conformance] and run as separate tests of ctest, which are
// skipped if there is no such directory.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace awend::tests {

/// The path of a file in $AWEND_CONFORMANCE, possibly with .gz appended; nothing, with the warning
/// that ctest recognizes, if there is no such directory.  Throws if the directory lacks the file.
inline std::optional<std::string> conformance_file(const std::string& name) {
  const char* directory = std::getenv("AWEND_CONFORMANCE");
  if (!directory || !std::filesystem::is_directory(directory)) {
    WARN("skipped, because AWEND_CONFORMANCE names no directory: " << name);
    return std::nullopt;
  }
  const auto path = (std::filesystem::path(directory) / name).string();
  if (std::filesystem::exists(path)) return path;
  if (std::filesystem::exists(path + ".gz")) return path + ".gz";
  throw std::runtime_error(path + ": no such conformance file");
}

/// What a command of the shell prints; throws unless its status is 0.
inline std::string output_of(const std::string& command) {
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error(command);
  std::string content;
  char buffer[65536];
  while (const auto size = std::fread(buffer, 1, sizeof buffer, pipe)) content.append(buffer, size);
  if (::pclose(pipe) != 0) throw std::runtime_error(command);
  return content;
}

/// The path of a program of the build, in the directory $AWEND_BIN, which ctest sets.
inline std::string program(const std::string& name) {
  const char* directory = std::getenv("AWEND_BIN");
  if (!directory) throw std::runtime_error("AWEND_BIN must be the directory of the programs");
  return std::string(directory) + "/" + name;
}

/// The bytes of a file, unpacked if its name ends in .gz.
inline std::string read_conformance(const std::string& path) {
  return output_of((path.ends_with(".gz") ? "gzip -dc '" : "cat '") + path + "'");
}

/// The lines of a file.
inline std::vector<std::string> read_lines(const std::string& path) {
  const auto content = read_conformance(path);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < content.size();) {
    const auto end = std::min(content.find('\n', begin), content.size());
    lines.push_back(content.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// The JSON values of a file that has one a line.
inline std::vector<nlohmann::json> read_json_lines(const std::string& path) {
  const auto content = read_conformance(path);
  std::vector<nlohmann::json> values;
  for (std::size_t begin = 0; begin < content.size();) {
    const auto end = std::min(content.find('\n', begin), content.size());
    if (end > begin)
      values.push_back(nlohmann::json::parse(content.begin() + begin, content.begin() + end));
    begin = end + 1;
  }
  return values;
}

}  // namespace awend::tests
