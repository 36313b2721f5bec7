#include "tests/conformance.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/catch.hpp"

namespace awend::tests {

unsigned& parts_left_out() {
  static unsigned count = 0;
  return count;
}

std::optional<std::string> conformance_file(const std::string& name) {
  const char* directory = std::getenv("AWEND_CONFORMANCE");
  if (!directory || !std::filesystem::is_directory(directory)) {
    WARN("left out, because AWEND_CONFORMANCE names no directory: " << name);
    ++parts_left_out();
    return std::nullopt;
  }
  const auto path = (std::filesystem::path(directory) / name).string();
  if (std::filesystem::exists(path)) return path;
  if (std::filesystem::exists(path + ".gz")) return path + ".gz";
  throw std::runtime_error(path + ": no such conformance file");
}

std::string output_of(const std::string& command) {
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error(command);
  std::string content;
  char buffer[65536];
  while (const auto size = std::fread(buffer, 1, sizeof buffer, pipe)) content.append(buffer, size);
  if (::pclose(pipe) != 0) throw std::runtime_error(command);
  return content;
}

std::string program(const std::string& name) {
  const char* directory = std::getenv("AWEND_BIN");
  if (!directory) throw std::runtime_error("AWEND_BIN must be the directory of the programs");
  return std::string(directory) + "/" + name;
}

std::string read_conformance(const std::string& path) {
  return output_of((path.ends_with(".gz") ? "gzip -dc '" : "cat '") + path + "'");
}

std::vector<std::string> read_lines(const std::string& path) {
  const auto content = read_conformance(path);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < content.size();) {
    const auto end = std::min(content.find('\n', begin), content.size());
    lines.push_back(content.substr(begin, end - begin));
    begin = end + 1;
  }
  if (lines.empty()) throw std::runtime_error(path + ": no lines");
  return lines;
}

std::vector<nlohmann::json> read_json_lines(const std::string& path) {
  std::vector<nlohmann::json> values;
  for (const auto& line : read_lines(path)) {
    if (!line.empty()) values.push_back(nlohmann::json::parse(line));
  }
  return values;
}

nlohmann::json read_json(const std::string& path) {
  return nlohmann::json::parse(read_conformance(path));
}

}  // namespace awend::tests
