// Ranks through Boost.MPI.
//
// Sums do not use MPI's reductions, whose order is unspecified.  Rank r owns the r-th part of the
// values: the others send it theirs, it adds them in the order of ranks, and sends the sums back.
// That transfers no more bytes than the best MPI algorithms.
#include <mpi.h>

#include <algorithm>
#include <boost/mpi.hpp>
#include <functional>
#include <map>

#include "train/ranks/ranks_mpi.hpp"

namespace awend::train {
namespace {

namespace mpi = boost::mpi;

class MpiSum : public Sum {
 public:
  /// `received` is a buffer that later sums reuse.
  MpiSum(const mpi::communicator& world, std::span<float> values, std::vector<float>& received,
         int number)
      : world_(world), values_(values), tag_(2 * number), received_(received) {
    const int me = world_.rank();
    const auto own = part(me);
    received_.resize(own.size() * static_cast<std::size_t>(world_.size()));
    for (int other = 0; other < world_.size(); ++other) {
      if (other == me) continue;
      const auto theirs = part(other);
      requests_.push_back(world_.irecv(other, tag_, from(other).data(), length(own)));
      requests_.push_back(world_.isend(other, tag_, theirs.data(), length(theirs)));
    }
    std::ranges::copy(own, from(me).begin());
  }

  bool advance() override {
    if (!all_arrived()) return false;
    if (summed_) return true;
    add_up();
    summed_ = true;
    return all_arrived();
  }

 private:
  static int length(std::span<const float> values) { return static_cast<int>(values.size()); }

  std::span<float> part(int rank) const {
    const auto count = static_cast<std::size_t>(world_.size());
    const auto at = [&](int i) { return values_.size() * static_cast<std::size_t>(i) / count; };
    return values_.subspan(at(rank), at(rank + 1) - at(rank));
  }

  /// The values of `rank` for this rank's part.
  std::span<float> from(int rank) {
    const std::size_t each = received_.size() / static_cast<std::size_t>(world_.size());
    return std::span(received_).subspan(each * static_cast<std::size_t>(rank), each);
  }

  bool all_arrived() {
    std::erase_if(requests_, [](mpi::request& request) { return request.test().has_value(); });
    return requests_.empty();
  }

  void add_up() {
    const auto own = part(world_.rank());
    std::ranges::copy(from(0), own.begin());
    for (int rank = 1; rank < world_.size(); ++rank) {
      std::ranges::transform(own, from(rank), own.begin(), std::plus<>());
    }
    for (int other = 0; other < world_.size(); ++other) {
      if (other == world_.rank()) continue;
      const auto theirs = part(other);
      requests_.push_back(world_.irecv(other, tag_ + 1, theirs.data(), length(theirs)));
      requests_.push_back(world_.isend(other, tag_ + 1, own.data(), length(own)));
    }
  }

  const mpi::communicator& world_;
  std::span<float> values_;
  int tag_;
  std::vector<float>& received_;  // this rank's part, from each rank
  std::vector<mpi::request> requests_;
  bool summed_ = false;
};

class MpiRanks : public Ranks {
 public:
  // The program reports exceptions and aborts the other ranks itself.
  MpiRanks() : environment_(mpi::threading::funneled, kAbortOnException) {
    // Boost.MPI has no function for the ranks that share a machine.
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, world_.rank(), MPI_INFO_NULL, &machine);
    machine_ = {machine, mpi::comm_take_ownership};
  }

  std::uint32_t rank() const override { return static_cast<std::uint32_t>(world_.rank()); }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(world_.size()); }
  std::uint32_t local_rank() const override { return static_cast<std::uint32_t>(machine_.rank()); }
  std::uint32_t local_size() const override { return static_cast<std::uint32_t>(machine_.size()); }

  std::unique_ptr<Sum> start_sum(std::span<float> values, std::uint32_t number) override {
    return std::make_unique<MpiSum>(world_, values, received_[number], static_cast<int>(number));
  }

  void sum(std::span<double> values) override {
    std::vector<double> all(values.size() * size());
    mpi::all_gather(world_, values.data(), static_cast<int>(values.size()), all.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 0;
      for (std::size_t at = i; at < all.size(); at += values.size()) values[i] += all[at];
    }
  }

  std::int64_t largest(std::int64_t value) override {
    return mpi::all_reduce(world_, value, mpi::maximum<std::int64_t>());
  }

  void broadcast(std::span<std::byte> bytes) override {
    constexpr std::size_t kMaxBytes = std::size_t{1} << 30;  // a count of MPI's is an int
    for (std::size_t at = 0; at < bytes.size(); at += kMaxBytes) {
      const auto piece = bytes.subspan(at, std::min(kMaxBytes, bytes.size() - at));
      mpi::broadcast(world_, reinterpret_cast<unsigned char*>(piece.data()),
                     static_cast<int>(piece.size()), 0);
    }
  }

  std::vector<std::string> gather(const std::string& text) override {
    std::vector<std::string> texts;
    mpi::all_gather(world_, text, texts);
    return texts;
  }

  void wait_for_all() override { world_.barrier(); }

  [[noreturn]] void abort(int status) override {
    mpi::environment::abort(status);
    std::abort();  // not reached
  }

 private:
  static constexpr auto kAbortOnException = false;

  mpi::environment environment_;
  mpi::communicator world_;
  mpi::communicator machine_;
  std::map<std::uint32_t, std::vector<float>> received_;  // by the numbers of sums
};

}  // namespace

std::unique_ptr<Ranks> mpi_ranks() {
  return std::make_unique<MpiRanks>();
}

std::string mpi_origin() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);  // allowed before MPI starts
  const std::string version(text, static_cast<std::size_t>(length));
  return "MPI: " + version.substr(0, version.find_first_of(",\n"));
}

}  // namespace awend::train
