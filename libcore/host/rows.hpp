// Work on rows, divided among the threads of a pool.
#pragma once

#include <algorithm>
#include <cstddef>

#include "host/thread_pool.hpp"

namespace awend::host {

/// Floats that one thread processes in the time in which another one wakes: for less, one thread
/// does the work.
inline constexpr std::size_t kMinFloats = 16'384;

/// Into how many parts work that is worth `useful` threads is divided: more than there are threads,
/// so that one that the system delays has less to do.  At most `max_parts`.
inline unsigned parts_of(std::size_t useful, std::size_t max_parts, const ThreadPool& pool) {
  constexpr std::size_t kPartsOfThread = 4;
  if (pool.size() == 1) return 1;
  return static_cast<unsigned>(
      std::max<std::size_t>(1, std::min({useful, max_parts, kPartsOfThread * pool.size()})));
}

/// Calls body(begin, end) for parts of [0, rows), on several threads if rows · `floats` of a row,
/// weighted by the work that each takes, are enough.
template <class Body>
void for_rows(ThreadPool& pool, std::size_t rows, std::size_t floats, const Body& body) {
  const std::size_t useful = rows * floats / kMinFloats;
  const auto parts = static_cast<unsigned>(useful < 2             ? 1
                                           : useful < pool.size() ? useful
                                                                  : std::size_t{pool.size()});
  if (parts == 1) return body(std::size_t{0}, rows);
  pool.run(parts, [&](unsigned part) { body(rows * part / parts, rows * (part + 1) / parts); });
}

}  // namespace awend::host
