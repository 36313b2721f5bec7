// Which file is mapped where, for the handler of SIGBUS: the signal tells an address only.  A part
// of mapped_file.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace awend::base {

/// Remembers that `bytes` are those of the file at `path`, until forget_range().  If very many
/// files are mapped, further ones are not remembered.
void remember_range(std::span<const std::byte> bytes, const std::string& path);
void forget_range(std::span<const std::byte> bytes);

}  // namespace awend::base
