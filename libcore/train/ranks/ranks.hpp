// The processes of one run, called ranks, and their communication.
//
// A process without an MPI launcher is the only rank, without overhead.  All ranks call the same
// functions in the same order; each call except start_sum() waits for all ranks.  Test:
// tests/ranks/ranks_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace awend::train {

/// An asynchronous sum over all ranks.
class Sum {
 public:
  virtual ~Sum() = default;
  /// Makes progress without waiting.  Returns true when the sum is complete.
  virtual bool advance() = 0;
};

class Ranks {
 public:
  virtual ~Ranks() = default;
  /// From 0 to size() - 1.
  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t size() const = 0;
  /// The rank among those of this machine.
  virtual std::uint32_t local_rank() const = 0;
  /// The number of ranks of this machine.
  virtual std::uint32_t local_size() const = 0;

  /// Starts to replace `values` by their sums over all ranks; they must not be accessed until the
  /// sum is complete.  One rank computes each sum in the order of ranks, so that the result is
  /// bit-identical on all ranks, however the values are split into calls.  Concurrent sums have
  /// different `number`s, the same on all ranks.
  virtual std::unique_ptr<Sum> start_sum(std::span<float> values, std::uint32_t number) = 0;
  /// The same for a few values, and waits.
  virtual void sum(std::span<double> values) = 0;
  /// The maximum over all ranks.
  virtual std::int64_t largest(std::int64_t value) = 0;
  /// Copies the bytes of rank 0 to all ranks, which pass the same size.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  /// The texts of all ranks, by rank.
  virtual std::vector<std::string> gather(const std::string& text) = 0;
  virtual void wait_for_all() = 0;

  /// Ends all ranks without waiting, with this exit status if the launcher supports it.
  [[noreturn]] virtual void abort(int status) = 0;
};

}  // namespace awend::train
