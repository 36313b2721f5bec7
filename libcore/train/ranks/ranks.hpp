// The processes of one run, called ranks: which of them this is, and what they tell each other.
//
// A process that no launcher of MPI has started is alone, and pays nothing.  Ranks call the same
// functions in the same order; each call but start_sum() waits for all of them.  Test:
// tests/ranks/ranks_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace awend::train {

/// The replacement of numbers by their sums, under way.
class Sum {
 public:
  virtual ~Sum() = default;
  /// Does what can be done without waiting.  True once all sums are there.
  virtual bool advance() = 0;
};

class Ranks {
 public:
  virtual ~Ranks() = default;
  /// From 0 to size() - 1.
  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t size() const = 0;
  /// Likewise among the ranks of this machine.
  virtual std::uint32_t local_rank() const = 0;

  /// Begins to replace `values`, which nobody touches meanwhile, by their sums over all ranks.  A
  /// sum is made by one rank in the order of ranks, and sent to the others: all have the same bits,
  /// however the numbers are cut into calls.  Sums that are under way at the same time have
  /// different `number`s, the same on all ranks.
  virtual std::unique_ptr<Sum> start_sum(std::span<float> values, std::uint32_t number) = 0;
  /// The same at once, for a few numbers.
  virtual void sum(std::span<double> values) = 0;
  /// The largest that any rank has.
  virtual std::int64_t largest(std::int64_t value) = 0;
  /// Every rank gets what rank 0 has; all have as many bytes.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  /// The texts of all ranks, by rank.
  virtual std::vector<std::string> gather(const std::string& text) = 0;
  virtual void wait_for_all() = 0;

  /// Ends all ranks, with this status where the launcher can, without waiting for any.
  [[noreturn]] virtual void abort(int status) = 0;
};

}  // namespace awend::train
