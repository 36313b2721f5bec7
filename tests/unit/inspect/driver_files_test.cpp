// Diagnoses of machines that are made of directories and variables.
#include "inspect/driver_files.hpp"

#include <filesystem>
#include <map>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::tools {
namespace {

class FakeMachine {
 public:
  void file(const std::string& path, const std::string& content = "") {
    const auto whole = scratch_.folder() + path;
    std::filesystem::create_directories(std::filesystem::path(whole).parent_path());
    scratch_.write(path.substr(1), content);
  }
  void driver(const std::string& path, const std::string& library) {
    file(path, R"({"file_format_version":"1.0.0","ICD":{"library_path":")" + library + "\"}}");
  }

  Machine machine() const {
    return {.root = scratch_.folder(),
            .variable = [this](const std::string& name) -> std::optional<std::string> {
              const auto found = variables.find(name);
              if (found == variables.end()) return std::nullopt;
              return found->second;
            },
            .load = [this](const std::string& library) { return value(unloadable, library); },
            .open = [this](const std::string& path) { return value(closed, path); }};
  }

  std::map<std::string, std::string> variables = {{"HOME", "/home/me"}};
  std::map<std::string, std::string> unloadable, closed;  // and the reasons

 private:
  static std::string value(const std::map<std::string, std::string>& map, const std::string& key) {
    const auto found = map.find(key);
    return found == map.end() ? "" : found->second;
  }
  tests::Scratch scratch_;
};

bool has(const std::string& text, std::string_view words) {
  std::string flat;  // lines are broken wherever they end
  for (const char c : text) {
    const char put = c == '\n' ? ' ' : c;
    if (put != ' ' || !flat.ends_with(' ')) flat += put;
  }
  return flat.find(words) != flat.npos;
}

TEST_CASE("a machine without anything is told how to compute on its CPU", "[drivers]") {
  const FakeMachine fake;
  CHECK(driver_files(fake.machine()).empty());
  const auto text = diagnosis(fake.machine());
  CHECK(has(text, "none in /home/me/.config/vulkan/icd.d /etc/xdg/vulkan/icd.d"));
  CHECK(has(text, "/usr/share/vulkan/icd.d"));
  CHECK(has(text, "apt-get install mesa-vulkan-drivers"));
  CHECK(has(text, "none of a GPU"));
  CHECK(!has(text, "Container"));
}

TEST_CASE("a machine without Vulkan's loader is told what brings it", "[drivers]") {
  FakeMachine fake;
  CHECK(!has(diagnosis(fake.machine()), "libvulkan1"));
  fake.unloadable["libvulkan.so.1"] = "not found";
  CHECK(has(diagnosis(fake.machine()), "'apt-get install libvulkan1' brings the loader"));
}

TEST_CASE("the files of drivers, and why their libraries do not load", "[drivers]") {
  FakeMachine fake;
  fake.driver("/usr/share/vulkan/icd.d/b.json", "libb.so");
  fake.driver("/usr/share/vulkan/icd.d/a.json", "../../../lib/liba.so");
  fake.driver("/etc/vulkan/icd.d/c.json", "/opt/libc.so");
  fake.file("/etc/vulkan/icd.d/d.json", "{}");
  fake.file("/etc/vulkan/icd.d/README", "no driver");
  fake.unloadable["libb.so"] = "libXext.so.6: not found";
  const auto files = driver_files(fake.machine());
  REQUIRE(files.size() == 4);
  CHECK(files[0].path == "/etc/vulkan/icd.d/c.json");
  CHECK(files[0].failure == "");
  CHECK(files[1].failure == "names no library");
  CHECK(files[2].library == "../../../lib/liba.so");
  CHECK(files[3].failure == "libXext.so.6: not found");
  const auto text = diagnosis(fake.machine());
  CHECK(has(text, "FAILS /usr/share/vulkan/icd.d/b.json: libb.so: libXext.so.6: not found"));
  CHECK(has(text, "install what a failing driver misses"));
  CHECK(!has(text, "mesa-vulkan-drivers"));
}

TEST_CASE("a path in a driver's file starts from the file", "[drivers]") {
  FakeMachine fake;
  fake.driver("/usr/share/vulkan/icd.d/a.json", "../liba.so");
  fake.unloadable["/usr/share/vulkan/icd.d/../liba.so"] = "gone";
  CHECK(driver_files(fake.machine()).at(0).failure == "gone");
}

TEST_CASE("variables take the place of directories", "[drivers]") {
  FakeMachine fake;
  fake.driver("/usr/share/vulkan/icd.d/a.json", "liba.so");
  fake.driver("/mine/x.json", "libx.so");
  fake.variables["VK_ICD_FILENAMES"] = "/mine/x.json:/mine/missing.json";
  const auto files = driver_files(fake.machine());
  REQUIRE(files.size() == 2);
  CHECK(files[0].failure == "");
  CHECK(files[1].failure == "No such file or directory");
  CHECK(has(diagnosis(fake.machine()), "unset VK_ICD_FILENAMES"));
  fake.variables["VK_DRIVER_FILES"] = "/mine";
  CHECK(driver_files(fake.machine()).size() == 1);
  fake.variables.erase("VK_DRIVER_FILES");
  fake.variables.erase("VK_ICD_FILENAMES");
  fake.variables["XDG_DATA_DIRS"] = "/mine/share";
  CHECK(driver_files(fake.machine()).empty());
}

TEST_CASE("device files that this user may not open", "[drivers]") {
  FakeMachine fake;
  fake.driver("/usr/share/vulkan/icd.d/a.json", "liba.so");
  fake.file("/dev/dri/renderD128");
  fake.file("/dev/dri/card0");
  fake.closed["/dev/dri/renderD128"] = "Permission denied";
  const auto text = diagnosis(fake.machine());
  CHECK(has(text, "FAILS /dev/dri/renderD128: Permission denied"));
  CHECK(!has(text, "card0"));
  CHECK(has(text, "usermod -aG render,video"));
}

TEST_CASE("a container without NVIDIA's graphics capability", "[drivers]") {
  FakeMachine fake;
  fake.file("/.dockerenv");
  fake.file("/dev/nvidia0");
  fake.file("/dev/nvidia-caps/nvidia-cap1");
  fake.variables["NVIDIA_DRIVER_CAPABILITIES"] = "compute,utility";
  auto text = diagnosis(fake.machine());
  CHECK(has(text, "opens /dev/nvidia0"));
  CHECK(has(text, "NVIDIA_DRIVER_CAPABILITIES=compute,utility"));
  CHECK(has(text, "start the container with NVIDIA_DRIVER_CAPABILITIES=all"));
  CHECK(has(text, "NVIDIA's kernel driver is here and its Vulkan driver is not"));
  fake.variables["NVIDIA_DRIVER_CAPABILITIES"] = "all";
  fake.driver("/etc/vulkan/icd.d/nvidia_icd.json", "libGLX_nvidia.so.0");
  text = diagnosis(fake.machine());
  CHECK(!has(text, "capabilities=all"));
  CHECK(!has(text, "its Vulkan driver is not"));
}

}  // namespace
}  // namespace awend::tools
