#include "base/mapped_ranges.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <mutex>

#include "base/mapped_file.hpp"

namespace awend::base {
namespace {

// The texts do not change while `begin` is set.  It stays set while the signal is handled, because
// the thread that received the signal is using the range.
struct MappedRange {
  std::atomic<const std::byte*> begin{nullptr};  // null: free
  std::atomic<std::size_t> size{0};
  std::string path, printable_path;
};
static_assert(std::atomic<const std::byte*>::is_always_lock_free);

// More than any program maps: the models of an ensemble, or the caches of the corpora of a run.
constexpr std::size_t kMaxRanges = 256;

// A signal handler can access only static data.
std::array<MappedRange, kMaxRanges> ranges;
std::mutex ranges_mutex;  // for remember_range() and forget_range(), not for the handler
std::string tool_name;

// Control characters must not reach the terminal.
std::string printable(std::string path) {
  for (char& c : path) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return path;
}

// All functions below run in the signal handler.  They call only async-signal-safe functions and
// allocate no memory.
class Line {
 public:
  void add(const char* text) {
    const std::size_t size = std::min(std::strlen(text), sizeof bytes_ - size_);
    std::memcpy(bytes_ + size_, text, size);
    size_ += size;
  }
  void write() const { [[maybe_unused]] const auto count = ::write(STDERR_FILENO, bytes_, size_); }

 private:
  char bytes_[8192];
  std::size_t size_ = 0;
};

const MappedRange* range_at(const std::byte* address) {
  for (const MappedRange& range : ranges) {
    const auto* begin = range.begin.load();
    if (begin != nullptr && address >= begin && address < begin + range.size.load()) return &range;
  }
  return nullptr;
}

void report_lost(int signal, siginfo_t* info, void*) {
  const MappedRange* range = range_at(static_cast<const std::byte*>(info->si_addr));
  if (range == nullptr || info->si_code <= 0) {  // another cause, or a signal sent by a process
    ::signal(signal, SIG_DFL);
    ::raise(signal);  // it arrives when this handler returns
    return;
  }
  struct stat status {};
  const bool whole = ::stat(range->path.c_str(), &status) == 0 &&
                     static_cast<std::size_t>(status.st_size) >= range->size.load();
  Line line;
  line.add(tool_name.c_str());
  line.add(": ");
  line.add(range->printable_path.c_str());
  line.add(whole ? ": cannot be read from its disk\n" : ": was truncated while in use\n");
  line.write();
  ::_exit(1);
}

}  // namespace

void remember_range(std::span<const std::byte> bytes, const std::string& path) {
  const std::lock_guard lock(ranges_mutex);
  for (MappedRange& range : ranges) {
    if (range.begin.load() != nullptr) continue;
    range.path = path;
    range.printable_path = printable(path);
    range.size = bytes.size();
    range.begin = bytes.data();
    return;
  }
}

void forget_range(std::span<const std::byte> bytes) {
  const std::lock_guard lock(ranges_mutex);
  for (MappedRange& range : ranges) {
    if (range.begin.load() == bytes.data()) range.begin = nullptr;
  }
}

void report_lost_files(const std::string& tool) {
  tool_name = tool;
  struct sigaction action = {};
  action.sa_sigaction = report_lost;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace awend::base
