#include "inspect/driver_files.hpp"

#include <dlfcn.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/format.hpp"
#include "store/json_text.hpp"

namespace awend::tools {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> cut(const std::string& text) {
  std::vector<std::string> parts;
  for (const auto part : base::split(text, ':')) {
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

std::string value_of(const Machine& machine, const std::string& name,
                     const std::string& otherwise) {
  const auto value = machine.variable(name);
  return value && !value->empty() ? *value : otherwise;
}

DriverFile driver_file(const Machine& machine, const std::string& path) {
  DriverFile file{.path = path, .library = {}, .failure = {}};
  try {
    const auto content = base::read_file(machine.root + path, base::kMaxSettingsBytes);
    const auto library = store::json_text_at(content, {"ICD", "library_path"});
    if (library) file.library = *library;
  } catch (const base::Error& error) {
    file.failure = error.what();
    const auto name = machine.root + path + ": ";
    if (file.failure.starts_with(name)) file.failure.erase(0, name.size());
    return file;
  }
  if (file.library.empty()) {
    file.failure = "names no library";
    return file;
  }
  // A path is relative to the file; a name is searched by the system.
  const bool is_path = file.library.find('/') != std::string::npos;
  file.failure =
      machine.load(is_path ? (fs::path(path).parent_path() / file.library).string() : file.library);
  return file;
}

}  // namespace

std::vector<std::string> files_in(const std::string& directory, std::string_view beginning,
                                  std::string_view ending) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(beginning) && name.ends_with(ending)) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

Machine this_machine() {
  return {.root = "",
          .variable = [](const std::string& name) -> std::optional<std::string> {
            const char* value = std::getenv(name.c_str());
            return value == nullptr ? std::nullopt : std::optional<std::string>(value);
          },
          .load = [](const std::string& library) -> std::string {
            void* handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
            if (handle != nullptr) return "";
            const char* reason = ::dlerror();
            return reason == nullptr ? "cannot be loaded" : reason;
          },
          .open = [](const std::string& path) -> std::string {
            const base::Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
            return file.get() >= 0 ? "" : std::strerror(errno);
          }};
}

std::vector<std::string> driver_places(const Machine& machine) {
  for (const auto* name : kDriverVariables) {
    const auto value = value_of(machine, name, "");
    if (!value.empty()) return cut(value);
  }
  const auto home = value_of(machine, "HOME", "");
  std::vector<std::string> directories =
      cut(value_of(machine, "XDG_CONFIG_HOME", home + "/.config"));
  const auto add = [&](const std::string& list) {
    const auto parts = cut(list);
    directories.insert(directories.end(), parts.begin(), parts.end());
  };
  add(value_of(machine, "XDG_CONFIG_DIRS", "/etc/xdg"));
  add("/usr/local/etc:/etc");
  add(value_of(machine, "XDG_DATA_HOME", home + "/.local/share"));
  add(value_of(machine, "XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
  for (auto& directory : directories) directory += "/vulkan/icd.d";
  return directories;
}

std::vector<DriverFile> driver_files(const Machine& machine) {
  std::vector<DriverFile> files;
  for (const auto& place : driver_places(machine)) {
    if (!fs::is_directory(machine.root + place)) {
      const bool named = place.ends_with(".json") || fs::exists(machine.root + place);
      if (named) files.push_back(driver_file(machine, place));
      continue;
    }
    for (auto path : files_in(machine.root + place, "", ".json")) {
      path.erase(0, machine.root.size());
      files.push_back(driver_file(machine, path));
    }
  }
  return files;
}

}  // namespace awend::tools
