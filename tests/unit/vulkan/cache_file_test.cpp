// A cache file is either valid or ignored, and failures to read or write it are no errors.
#include "vulkan/cache_file.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "vulkan/pipeline_cache.hpp"

namespace awend::vulkan {
namespace {

using tests::Scratch;

TEST_CASE("a written payload is read, and the directory is created", "[cache]") {
  const Scratch scratch;
  const CacheFile file(scratch.path("cache/awend/pipelines"));
  CHECK_FALSE(file.read());
  REQUIRE(file.write("payload"));
  CHECK(file.read() == "payload");
  REQUIRE(file.write(""));
  CHECK(file.read() == "");
  CHECK(CacheFile(file.path()).read() == "");
}

TEST_CASE("a file that is truncated, too long or damaged is ignored", "[cache]") {
  const Scratch scratch;
  const CacheFile file(scratch.path("awend/pipelines"));
  REQUIRE(file.write("some payload"));
  const std::string whole = Scratch::read(file.path());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    scratch.write("awend/pipelines", whole.substr(0, size));
    CAPTURE(size);
    CHECK_FALSE(file.read());
  }
  scratch.write("awend/pipelines", whole + "x");
  CHECK_FALSE(file.read());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    scratch.write("awend/pipelines", damaged);
    CAPTURE(i);
    CHECK_FALSE(file.read());
  }
  REQUIRE(file.write("another"));
  CHECK(file.read() == "another");
}

TEST_CASE("a file that others may write is ignored", "[cache]") {
  const Scratch scratch;
  const CacheFile file(scratch.path("awend/pipelines"));
  REQUIRE(file.write("payload"));
  REQUIRE(::chmod(file.path().c_str(), 0666) == 0);
  CHECK_FALSE(file.read());
  REQUIRE(::chmod(file.path().c_str(), 0644) == 0);
  CHECK(file.read() == "payload");
  REQUIRE(::chmod(scratch.path("awend").c_str(), 0777) == 0);
  CHECK_FALSE(file.read());
}

TEST_CASE("a file that is too large is removed", "[cache]") {
  const Scratch scratch;
  const CacheFile file(scratch.path("awend/pipelines"));
  REQUIRE(file.write("payload"));
  CHECK_FALSE(file.write(std::string(CacheFile::kMaxBytes, 'x')));
  CHECK_FALSE(std::filesystem::exists(file.path()));
}

TEST_CASE("a directory that cannot be written or is deleted causes no error", "[cache]") {
  const Scratch scratch;
  scratch.write("plain", "a file instead of a directory");
  const CacheFile unwritable(scratch.path("plain/pipelines"));
  CHECK_FALSE(unwritable.write("payload"));
  CHECK_FALSE(unwritable.read());
  CHECK_FALSE(CacheFile("").write("payload"));
  CHECK_FALSE(CacheFile("").read());
  std::filesystem::create_directories(scratch.path("directory/pipelines"));
  CHECK_FALSE(CacheFile(scratch.path("directory/pipelines")).read());
  CHECK_FALSE(CacheFile(scratch.path("directory/pipelines")).write("payload"));

  const CacheFile file(scratch.path("awend/pipelines"));
  REQUIRE(file.write("payload"));
  std::filesystem::remove_all(scratch.path("awend"));
  CHECK_FALSE(file.read());
  CHECK(file.write("again"));
}

TEST_CASE("a reader never gets a partial file of two concurrent writers", "[cache]") {
  const Scratch scratch;
  const CacheFile file(scratch.path("awend/pipelines"));
  const std::string mine(100'000, 'm'), theirs(200'000, 't');
  REQUIRE(file.write(mine));
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (int i = 0; i < 20; ++i) file.write(theirs);
    ::_exit(0);
  }
  for (int i = 0; i < 20; ++i) {
    CHECK(file.write(mine));
    const auto seen = file.read();
    CHECK((seen == mine || seen == theirs));
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

/// Sets environment variables, and restores them.
class Environment {
 public:
  void set(const char* name, const char* value) {
    const char* before = ::getenv(name);
    before_.emplace_back(name,
                         before == nullptr ? std::nullopt : std::optional<std::string>(before));
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
  ~Environment() {
    for (auto it = before_.rbegin(); it != before_.rend(); ++it) {
      it->second ? ::setenv(it->first, it->second->c_str(), 1) : ::unsetenv(it->first);
    }
  }

 private:
  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

TEST_CASE("the directory depends on the environment", "[cache]") {
  Environment environment;
  environment.set("AWEND_PIPELINE_CACHE", nullptr);
  environment.set("HOME", "/home/someone");
  environment.set("XDG_CACHE_HOME", "/var/cache");
  CHECK(cache_directory() == "/var/cache/awend");
  environment.set("XDG_CACHE_HOME", "relative");
  CHECK(cache_directory() == "/home/someone/.cache/awend");
  environment.set("XDG_CACHE_HOME", nullptr);
  CHECK(cache_directory() == "/home/someone/.cache/awend");
  environment.set("AWEND_PIPELINE_CACHE", "0");
  CHECK(cache_directory() == "");
  environment.set("AWEND_PIPELINE_CACHE", "1");
  environment.set("HOME", nullptr);
  CHECK(cache_directory() == "");
}

TEST_CASE("only a cache of this device and driver is used", "[cache]") {
  VkPhysicalDeviceProperties device{};
  device.vendorID = 0x10de;
  device.deviceID = 7;
  device.driverVersion = 3;
  device.pipelineCacheUUID[0] = 0xab;
  CHECK(pipeline_cache_name(device) == "pipelines-4318-7-3-ab000000000000000000000000000000");
  VkPipelineCacheHeaderVersionOne header{};
  header.headerSize = sizeof header;
  header.headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
  header.vendorID = 0x10de;
  header.deviceID = 7;
  header.pipelineCacheUUID[0] = 0xab;
  const auto accepted = [&] {
    return is_pipeline_cache_of(device, {reinterpret_cast<const char*>(&header), sizeof header});
  };
  CHECK(accepted());
  CHECK_FALSE(is_pipeline_cache_of(device, "short"));
  const auto refused_with = [&](auto& field, auto value) {
    const auto before = std::exchange(field, value);
    CHECK_FALSE(accepted());
    field = before;
  };
  refused_with(header.headerSize, 8u);
  refused_with(header.headerSize, 33u);
  refused_with(header.headerVersion, static_cast<VkPipelineCacheHeaderVersion>(2));
  refused_with(header.vendorID, 0x1002u);
  refused_with(header.deviceID, 8u);
  refused_with(header.pipelineCacheUUID[15], std::uint8_t{1});
  CHECK(accepted());
}

}  // namespace
}  // namespace awend::vulkan
