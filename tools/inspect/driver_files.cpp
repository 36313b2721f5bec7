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
#include "inspect/layout.hpp"
#include "store/json_text.hpp"

namespace awend::tools {
namespace {

namespace fs = std::filesystem;

// They take the place of all folders; the first is the newer name.
constexpr const char* kOverrides[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"};

std::vector<std::string> cut(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(':', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string value_of(const Machine& machine, const std::string& name,
                     const std::string& otherwise) {
  const auto value = machine.variable(name);
  return value && !value->empty() ? *value : otherwise;
}

/// The paths that match "FOLDER/BEGINNING*", sorted.
std::vector<std::string> files_in(const std::string& folder, std::string_view beginning,
                                  std::string_view ending = "") {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(beginning) && name.ends_with(ending)) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

DriverFile driver_file(const Machine& machine, const std::string& path) {
  DriverFile file{.path = path, .library = {}, .failure = {}};
  try {
    const auto content = base::read_file(machine.root + path);
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
  // A path is relative to the file, a name is for the system's search.
  const bool is_path = file.library.find('/') != std::string::npos;
  file.failure =
      machine.load(is_path ? (fs::path(path).parent_path() / file.library).string() : file.library);
  return file;
}

std::vector<std::string> device_files(const Machine& machine) {
  auto paths = files_in(machine.root + "/dev/dri", "renderD");
  for (const char* name : {"/dev/nvidia", "/dev/kfd"}) {
    const fs::path path = machine.root + name;
    auto found = files_in(path.parent_path(), path.filename().string());
    std::erase_if(found, [](const std::string& file) { return fs::is_directory(file); });
    paths.insert(paths.end(), found.begin(), found.end());
  }
  for (auto& path : paths) path.erase(0, machine.root.size());
  return paths;
}

bool is_container(const Machine& machine) {
  return fs::exists(machine.root + "/.dockerenv") ||
         fs::exists(machine.root + "/run/.containerenv") ||
         machine.variable("container").has_value();
}

/// What a finding means for the user; each stands once.
class Advice {
 public:
  void add(std::string sentence) {
    if (std::ranges::find(sentences_, sentence) == sentences_.end())
      sentences_.push_back(std::move(sentence));
  }
  std::string text() const {
    std::string out;
    for (const auto& sentence : sentences_) out += hanging("  - ", sentence);
    return out;
  }

 private:
  std::vector<std::string> sentences_;
};

std::string drivers_text(const Machine& machine, Advice& advice) {
  std::string out = "Driver files\n";
  for (const auto* name : kOverrides) {
    const auto value = machine.variable(name);
    if (!value || value->empty()) continue;
    out += fact(name, base::concat(*value, " (only these count)"));
    advice.add(base::concat("unset ", name, ", or let it name the file of a driver that loads"));
  }
  const auto files = driver_files(machine);
  bool loads = false;
  for (const auto& file : files) {
    out += fact(file.failure.empty() ? "loads" : "FAILS",
                base::concat(file.path, file.library.empty() ? "" : ": " + file.library,
                             file.failure.empty() ? "" : ": " + file.failure));
    loads = loads || file.failure.empty();
    if (!file.failure.empty())
      advice.add("install what a failing driver misses, or the driver anew");
  }
  if (files.empty()) {
    std::string places;
    for (const auto& place : driver_places(machine)) places += (places.empty() ? "" : " ") + place;
    out += fact("none", "in " + places);
  }
  if (!loads)
    advice.add(
        "'apt-get install mesa-vulkan-drivers' brings lavapipe, which computes on any CPU, "
        "and the drivers of AMD and Intel GPUs");
  return out;
}

std::string device_files_text(const Machine& machine, Advice& advice) {
  std::string out = "\nDevice files\n";
  const auto files = device_files(machine);
  bool nvidia = false;
  for (const auto& path : files) {
    const auto failure = machine.open(path);
    out += fact(failure.empty() ? "opens" : "FAILS",
                base::concat(path, failure.empty() ? "" : ": " + failure));
    nvidia = nvidia || path.starts_with("/dev/nvidia");
    if (!failure.empty() && path.starts_with("/dev/dri"))
      advice.add("let this user open the GPU: 'usermod -aG render,video USER', and log in again");
  }
  if (files.empty()) out += fact("none", "of a GPU: /dev/dri/renderD*, /dev/nvidia*, /dev/kfd");
  const auto drivers = driver_files(machine);
  const bool has_driver = std::ranges::any_of(drivers, [](const DriverFile& file) {
    return file.path.find("nvidia") != std::string::npos && file.failure.empty();
  });
  if (nvidia && !has_driver)
    advice.add(
        "NVIDIA's kernel driver is here and its Vulkan driver is not: install the package "
        "with nvidia_icd.json and libGLX_nvidia.so.0, and libxext6 and libegl1");
  return out;
}

std::string container_text(const Machine& machine, Advice& advice) {
  const auto capabilities = machine.variable("NVIDIA_DRIVER_CAPABILITIES");
  const auto visible = machine.variable("NVIDIA_VISIBLE_DEVICES");
  if (!is_container(machine) && !capabilities && !visible) return "";
  std::string out = "\nContainer\n";
  out += fact("this is one", is_container(machine) ? "yes" : "it does not look so");
  out += fact("NVIDIA",
              base::concat("NVIDIA_VISIBLE_DEVICES=", visible.value_or("(not set)"),
                           " NVIDIA_DRIVER_CAPABILITIES=", capabilities.value_or("(not set)")));
  const auto granted = capabilities.value_or("");
  if (granted.find("graphics") == std::string::npos && granted.find("all") == std::string::npos)
    advice.add(
        "for an NVIDIA GPU start the container with NVIDIA_DRIVER_CAPABILITIES=all: "
        "compute and utility, the usual ones, leave the Vulkan driver outside");
  if (is_container(machine))
    advice.add("for another GPU start the container with --device /dev/dri");
  return out;
}

}  // namespace

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
  for (const auto* name : kOverrides) {
    const auto value = value_of(machine, name, "");
    if (!value.empty()) return cut(value);
  }
  const auto home = value_of(machine, "HOME", "");
  std::vector<std::string> folders = cut(value_of(machine, "XDG_CONFIG_HOME", home + "/.config"));
  const auto add = [&](const std::string& list) {
    const auto parts = cut(list);
    folders.insert(folders.end(), parts.begin(), parts.end());
  };
  add(value_of(machine, "XDG_CONFIG_DIRS", "/etc/xdg"));
  add("/usr/local/etc:/etc");
  add(value_of(machine, "XDG_DATA_HOME", home + "/.local/share"));
  add(value_of(machine, "XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
  for (auto& folder : folders) folder += "/vulkan/icd.d";
  return folders;
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

std::string diagnosis(const Machine& machine) {
  Advice advice;
  std::string out = drivers_text(machine, advice);
  out += device_files_text(machine, advice);
  out += container_text(machine, advice);
  const auto advised = advice.text();
  return advised.empty() ? out : out + "\nWhat may help\n" + advised;
}

}  // namespace awend::tools
