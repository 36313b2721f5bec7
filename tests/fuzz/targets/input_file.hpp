// The input as a file without a name, for parsers that read files.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "base/concat.hpp"

namespace awend::tests {

class InputInMemory {
 public:
  explicit InputInMemory(std::string_view bytes) : fd_(::memfd_create("input", 0)) {
    if (fd_ < 0 || ::write(fd_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
      std::abort();
  }
  ~InputInMemory() { ::close(fd_); }
  InputInMemory(const InputInMemory&) = delete;
  InputInMemory& operator=(const InputInMemory&) = delete;

  std::string path() const { return base::concat("/proc/self/fd/", fd_); }

 private:
  int fd_;
};

}  // namespace awend::tests
