#include "base/output_directory.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "base/files.hpp"
#include "base/signals.hpp"
#include "base/temporary_file.hpp"

namespace awend::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOld = ".old";

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

void create_parents(const std::string& path) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error && fs::path(path).has_parent_path()) fail(path, ": ", error.message());
}

/// Blocks the signals that stop a process while the object exists: they are handled afterwards.
class StopSignalsBlocked {
 public:
  StopSignalsBlocked() {
    sigset_t stops;
    ::sigemptyset(&stops);
    for (const int signal : kStopSignals) ::sigaddset(&stops, signal);
    ::pthread_sigmask(SIG_BLOCK, &stops, &before_);
  }
  ~StopSignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  StopSignalsBlocked(const StopSignalsBlocked&) = delete;
  StopSignalsBlocked& operator=(const StopSignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

OutputDirectory::OutputDirectory(const std::string& path, std::span<const std::string_view> own)
    : target_(without_slashes(path)), own_(own), exists_(fs::exists(target_)) {
  if (target_.empty()) fail_errno("''", ENOENT);
  if (exists_ && !fs::is_directory(target_)) fail_errno(target_, ENOTDIR);
  if (!exists_) create_parents(target_);
  temporary_ = exists_ ? concat(target_, "/.", random_suffix(), ".tmp") : temporary_name(target_);
  if (::mkdir(temporary_.c_str(), 0777) != 0) fail_errno(target_, errno);
  remembered_.emplace_back(temporary_);
}

OutputDirectory::~OutputDirectory() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

std::string OutputDirectory::target_of(const std::string& name) const {
  return concat(target_, "/", name);
}

void OutputDirectory::write(const std::string& name, std::string_view bytes) {
  write_by(name, [&](const std::string& path) {
    OutputFile file(path);
    file.write(bytes);
    file.commit();
  });
}

void OutputDirectory::write_by(const std::string& name,
                               const std::function<void(const std::string&)>& write) {
  remembered_.emplace_back(concat(temporary_, "/", name));
  if (exists_) remembered_.emplace_back(concat(temporary_, "/", name, kOld));
  try {
    write(concat(temporary_, "/", name));
  } catch (const Error& error) {
    // The name that the file would have got.
    std::string message = error.what();
    if (message.starts_with(temporary_)) message.replace(0, temporary_.size(), target_);
    throw Error(message);
  }
  names_.push_back(name);
}

void OutputDirectory::commit() {
  if (exists_) {
    add_files_to_remove();
    replace_files();
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
  } else if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    fail_errno(target_, errno);
  }
  temporary_.clear();
  remembered_.clear();
  sync_directory_of(exists_ ? target_of("file") : target_);
}

// Those of `own_` that are there and are not written.
void OutputDirectory::add_files_to_remove() {
  written_ = names_.size();
  for (const auto name : own_) {
    if (std::ranges::find(names_, name) != names_.end() ||
        !fs::exists(target_of(std::string(name))))
      continue;
    names_.emplace_back(name);
    remembered_.emplace_back(concat(temporary_, "/", name, kOld));
  }
}

// Files with an old version keep it as a link until all are replaced.
void OutputDirectory::replace_files() {
  const StopSignalsBlocked blocked;
  const auto link_of = [&](const std::string& name) { return concat(temporary_, "/", name, kOld); };
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto from = concat(temporary_, "/", names_[i]), to = target_of(names_[i]);
    const bool is_new = ::link(to.c_str(), link_of(names_[i]).c_str()) != 0 && errno == ENOENT;
    const bool is_removed = i >= written_;
    if ((is_removed ? ::unlink(to.c_str()) : ::rename(from.c_str(), to.c_str())) == 0) {
      is_new_.push_back(is_new);
      continue;
    }
    const int error_number = errno;
    for (std::size_t j = 0; j < i; ++j) {
      const auto restored = target_of(names_[j]);
      if (is_new_[j]) {
        ::unlink(restored.c_str());
      } else {
        ::rename(link_of(names_[j]).c_str(), restored.c_str());
      }
    }
    fail_errno(to, error_number);
  }
}

}  // namespace awend::base
