#include "base/temporary_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace awend::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAlphabet = "0123456789abcdefghijklmnopqrstuv";  // 32: five bits each
constexpr std::string_view kEnding = ".tmp";
// A name collides with probability 2^-60; several collisions in a row have another cause.
constexpr int kMaxAttempts = 100;

constexpr std::size_t kAdded = 1 + kRandomSuffixLength + kEnding.size();
constexpr std::size_t kMaxNameBytes = 255;  // of all file systems of Linux

/// The name of the target of the temporary file `name`, if it is one.
std::optional<std::string_view> target_of(std::string_view name) {
  if (name.size() <= kAdded || !name.ends_with(kEnding)) return std::nullopt;
  const auto target = name.substr(0, name.size() - kAdded);
  const auto suffix = name.substr(target.size() + 1, kRandomSuffixLength);
  const bool random = std::ranges::all_of(
      suffix, [](char c) { return kAlphabet.find(c) != std::string_view::npos; });
  if (!random || name[target.size()] != '.') return std::nullopt;
  return target;
}

/// False if another process removed the file between its creation and its lock.
bool has_name(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 && status.st_nlink > 0;
}

/// Removes a file without a writer while its lock is held, so that a process that has just created
/// the file cannot take the lock and lose the file afterwards.
void remove_if_abandoned(const std::string& path) {
  // O_RDWR: NFS grants an exclusive lock only to writers.
  const Descriptor file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ELOOP) ::unlink(path.c_str());  // a link, which is about to be renamed
    return;
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
}

}  // namespace

std::string random_suffix() {
  std::array<unsigned char, kRandomSuffixLength> bytes{};
  if (::getentropy(bytes.data(), bytes.size()) != 0) fail_errno("random numbers", errno);
  std::string suffix;
  for (const auto byte : bytes) suffix += kAlphabet[byte % kAlphabet.size()];
  return suffix;
}

std::string temporary_name(const std::string& target) {
  const std::size_t begin = target.rfind('/') + 1;  // npos + 1 is 0
  std::size_t end = target.size();
  if (end - begin > kMaxNameBytes - kAdded && end - begin <= kMaxNameBytes) {
    end = begin + kMaxNameBytes - kAdded;
    while (end > begin && is_utf8_tail(target[end])) --end;
  }
  return concat(std::string_view(target).substr(0, end), ".", random_suffix(), kEnding);
}

TemporaryFile create_temporary(const std::string& target, std::string_view name) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    auto path = temporary_name(target);
    // Until it has the permissions of the file that it replaces, others must not open it.
    struct stat replaced {};
    const mode_t mode = ::stat(target.c_str(), &replaced) == 0 ? 0600 : 0666;
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (file.get() < 0) {
      if (errno == EEXIST || errno == EINTR) continue;
      fail_errno(name, errno);
    }
    // If a file system has no locks, remove_abandoned() cannot lock the file either, and keeps it.
    // If it has the lock, it is about to remove the file.
    const bool is_taken = ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!is_taken && has_name(file.get())) return {std::move(path), std::move(file)};
  }
  fail(name, ": cannot create a temporary file next to it");
}

bool replace_symbolic_link(const std::string& destination, const std::string& link) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    const auto path = temporary_name(link);
    if (::symlink(destination.c_str(), path.c_str()) == 0) {
      if (::rename(path.c_str(), link.c_str()) == 0) return true;
      const int error_number = errno;
      ::unlink(path.c_str());
      fail_errno(link, error_number);
    }
    // EPERM is what Linux returns for a file system without symbolic links, such as FAT.
    if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS) return false;
    if (errno != EEXIST) fail_errno(link, errno);
  }
  fail(link, ": cannot create a temporary link next to it");
}

void remove_abandoned(const std::string& directory,
                      const std::function<bool(std::string_view)>& is_own) {
  std::error_code error;
  for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const auto name = entry->path().filename().string();
    const auto target = target_of(name);
    if (target && is_own(*target)) remove_if_abandoned(entry->path().string());
  }
}

}  // namespace awend::base
