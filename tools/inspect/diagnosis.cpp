// Explanations of the findings of driver_files.hpp, and advice.
#include <algorithm>
#include <filesystem>

#include "base/concat.hpp"
#include "inspect/driver_files.hpp"
#include "inspect/layout.hpp"
#include "vulkan/functions.hpp"

namespace awend::tools {
namespace {

namespace fs = std::filesystem;

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

/// The advice for a finding; each is given once.
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
  for (const auto* name : kDriverVariables) {
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
    advice.add("'apt-get install mesa-vulkan-drivers' brings the drivers of AMD and Intel GPUs");
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

std::string diagnosis(const Machine& machine) {
  Advice advice;
  if (!machine.load(vulkan::kLoaderLibrary).empty())
    advice.add("'apt-get install libvulkan1' brings the loader, without which no driver is found");
  std::string out = drivers_text(machine, advice);
  out += device_files_text(machine, advice);
  out += container_text(machine, advice);
  const auto advised = advice.text();
  return advised.empty() ? out : out + "\nWhat may help\n" + advised;
}

}  // namespace awend::tools
