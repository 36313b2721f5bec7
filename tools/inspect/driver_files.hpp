// Reasons for the lack of Vulkan devices: which drivers are installed, whether their libraries can
// be loaded, whether this user may open the device files, and what a container provides. Test:
// tests/unit/inspect/driver_files_test.cpp, tests/cli/inspect_devices.sh.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awend::tools {

/// The system that a diagnosis examines; tests provide their own.
struct Machine {
  std::string root;  ///< Prefix of every path; empty except in tests.
  std::function<std::optional<std::string>(const std::string& name)> variable;
  /// The reason why a library cannot be loaded; empty if it can.
  std::function<std::string(const std::string& library)> load;
  /// The reason why a file cannot be opened for reading and writing; empty if it can.
  std::function<std::string(const std::string& path)> open;
};

Machine this_machine();

/// A file that describes a driver to the loader.
struct DriverFile {
  std::string path;
  std::string library;  ///< According to the file; empty if missing.
  std::string
      failure;  ///< The reason why this driver is unusable; empty if its library can be loaded.
};

/// The paths of files with this prefix and suffix, sorted; none if there is no such directory.
std::vector<std::string> files_in(const std::string& directory, std::string_view beginning,
                                  std::string_view ending = "");

/// The variables that replace all directories; the first is the newer name.
inline constexpr const char* kDriverVariables[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"};

/// The directories that the loader searches, in order.
std::vector<std::string> driver_places(const Machine& machine);
std::vector<DriverFile> driver_files(const Machine& machine);

/// The complete report, with advice.
std::string diagnosis(const Machine& machine);

}  // namespace awend::tools
