// Why there is no Vulkan device: which drivers are installed, whether their libraries load, whether
// this user may open the device files, and what a container was given.
// Test: tests/unit/inspect/driver_files_test.cpp, tests/cli/inspect_devices.sh.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awend::tools {

/// What a diagnosis looks at; a test has its own.
struct Machine {
  std::string root;  ///< In front of every path; empty but in tests.
  std::function<std::optional<std::string>(const std::string& name)> variable;
  /// The reason why a library cannot be loaded; empty if it can.
  std::function<std::string(const std::string& library)> load;
  /// The reason why a file cannot be opened for reading and writing; empty if it can.
  std::function<std::string(const std::string& path)> open;
};

Machine this_machine();

/// A file that tells the loader of a driver.
struct DriverFile {
  std::string path;
  std::string library;  ///< As the file says; empty if it says nothing.
  std::string failure;  ///< Why this driver is none; empty if its library loads.
};

/// The paths of files whose names begin and end so, sorted; none if there is no such folder.
std::vector<std::string> files_in(const std::string& folder, std::string_view beginning,
                                  std::string_view ending = "");

/// The variables that take the place of all folders; the first is the newer name.
inline constexpr const char* kDriverVariables[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"};

/// Where the loader looks, in its order.
std::vector<std::string> driver_places(const Machine& machine);
std::vector<DriverFile> driver_files(const Machine& machine);

/// All of it in words, and what to do.
std::string diagnosis(const Machine& machine);

}  // namespace awend::tools
