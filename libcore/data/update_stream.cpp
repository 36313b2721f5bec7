#include "data/update_stream.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/batch.hpp"

namespace awend::data {
namespace {

// A pair at a random position may load 64 KiB of the begins and 64 KiB of the ids of a mapped
// corpus; after this many pairs, its pages are released.
constexpr std::size_t kPairsOutOfOrder = std::size_t{1} << 9;

std::vector<PairRows> rows_of(const PairsView& corpus, const EpochPairs& pairs) {
  std::vector<PairRows> rows;
  rows.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) rows.push_back(corpus.rows(pairs[i]));
  return rows;
}

UpdateShape with_rows(UpdateShape shape, const BatchSettings& settings) {
  if (shape.pass_rows == 0) shape.pass_rows = settings.batch_tokens;
  return shape;
}

}  // namespace

std::vector<PassCut> cut_passes(const PairsView& corpus, const EpochPairs& pairs,
                                const UpdateShape& shape) {
  const auto tokens = rows_of(corpus, pairs);
  std::uint64_t all = 0;
  for (const auto& pair : tokens) all += pair.source + pair.target;
  std::vector<PassCut> passes;
  std::uint32_t source = 0, target = 0;  // rows before the pair
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto [own_source, own_target] = tokens[i];
    base::check(std::max(own_source, own_target) <= shape.pass_rows, "a pair fits in a pass");
    const bool own = (std::uint64_t{source} + target) * shape.processes / all == shape.process;
    const auto rows_if_added = [&](const PassCut& pass) {
      return std::max(source + own_source - pass.first_source_row,
                      target + own_target - pass.first_target_row);
    };
    if (own && (passes.empty() || rows_if_added(passes.back()) > shape.pass_rows))
      passes.push_back({i, i, source, target});
    if (own) passes.back().end = i + 1;
    source += own_source;
    target += own_target;
  }
  return passes;
}

UpdateStream::UpdateStream(const PairsView& corpus, const BatchSettings& settings,
                           const UpdateShape& shape, BatchPosition start)
    : corpus_(corpus),
      shape_(with_rows(shape, settings)),
      batches_(corpus, settings, start),
      place_(place()) {}

PackedUpdate UpdateStream::next() {
  const auto in_background = [this] {
    return std::async(std::launch::async, [this] { return pack(); });
  };
  if (!coming_.valid()) coming_ = in_background();
  Packed packed = coming_.get();
  place_ = packed.after;
  coming_ = in_background();
  return std::move(packed.update);
}

UpdateStream::Packed UpdateStream::pack() {
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint64_t> epochs;
  for (std::uint32_t i = 0; i < shape_.batches; ++i) {
    const auto epoch = batches_.position().epoch;
    const auto more = batches_.next();
    numbers.insert(numbers.end(), more.begin(), more.end());
    epochs.resize(numbers.size(), epoch);
  }
  const EpochPairs pairs(numbers, epochs);
  Packed packed{{}, place()};
  for (const auto& tokens : rows_of(corpus_, pairs)) packed.update.target_tokens += tokens.target;
  packed.update.sentences = pairs.size();
  for (const auto& cut : cut_passes(corpus_, pairs, shape_)) {
    batch::PackedBatch& batch = packed.update.passes.emplace_back();
    pack_batch(corpus_, pairs.part(cut.begin, cut.end), batch);
    batch.source.first_row = cut.first_source_row;
    batch.target.first_row = cut.first_target_row;
    batch.source.first_sentence = static_cast<std::uint32_t>(cut.begin);
  }
  touched_ += pairs.size();
  if (touched_ >= kPairsOutOfOrder) {
    corpus_.forget();
    touched_ = 0;
  }
  return packed;
}

UpdateStream::Place UpdateStream::place() const {
  const auto position = batches_.position();
  return {position, static_cast<double>(position.epoch) +
                        static_cast<double>(position.index) /
                            static_cast<double>(batches_.batches_in_epoch())};
}

}  // namespace awend::data
