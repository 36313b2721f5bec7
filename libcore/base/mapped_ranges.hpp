// The address ranges of mapped files, for the handler of SIGBUS, which receives only an address.
// Part of mapped_file.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace awend::base {

/// Records that `bytes` are those of the file at `path`, until forget_range().  Has no effect if
/// very many files are mapped.
void remember_range(std::span<const std::byte> bytes, const std::string& path);
void forget_range(std::span<const std::byte> bytes);

}  // namespace awend::base
