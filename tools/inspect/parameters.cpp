#include "inspect/parameters.hpp"

#include <algorithm>

#include "store/lexical_shortlist.hpp"
#include "store/weights.hpp"

namespace awend::tools {
namespace {

/// A name belongs to the first row whose stack is its prefix and whose word it contains.
struct PartRow {
  std::string_view stack, word, part;
};
constexpr std::string_view kOther = "other";
constexpr PartRow kParts[] = {
    {"embedding", "", "embeddings"},
    {"source_embedding", "", "embeddings"},
    {"target_embedding", "", "embeddings"},
    {"question_embedding", "", "embeddings"},
    {"positions", "", "positions"},
    {"source_positions", "", "positions"},
    {"target_positions", "", "positions"},
    {"source_relative_positions", "", "positions"},
    {"target_relative_positions", "", "positions"},
    {"temporal.", "", "positions"},
    {"segments", "", "segments"},
    {"encoder.", ".self.", "encoder: self-attention"},
    {"encoder.", ".feed_forward.", "encoder: feed-forward"},
    {"encoder.", "norm.", "encoder: layer norms"},
    {"decoder.", ".self.", "decoder: self-attention"},
    {"decoder.", ".ssru.", "decoder: SSRUs"},
    {"decoder.", ".cross.", "decoder: attention to the encoder"},
    {"decoder.", ".feed_forward.", "decoder: feed-forward"},
    {"decoder.", "norm.", "decoder: layer norms"},
    {"encoder.", "", "encoder: cells"},
    {"decoder.", "", "decoder: cells"},
    {"hop", "", "hops"},
    {"softmax", "", "hops"},
    {"summary", "", "bridge"},
    {"bridge", "", "bridge"},
    {"attention.", "", "attention to the encoder"},
    {"readout.", "", "readout"},
    {"projection", "", "projection"},
    {"output_bias", "", "projection"},
    {"masked.", "", "prediction of masked tokens"},
    {"pooler.", "", "pooler"},
    {"next_sentence", "", "prediction of next sentences"},
    {"span", "", "prediction of spans"},
    {"classifier", "", "prediction of labels"},
    {"mix", "", "quality estimator"},
    {"estimator.", "", "quality estimator"},
    {"", "", kOther},
};

}  // namespace

void Statistics::add(float value) {
  if (!std::isfinite(value)) {
    ++not_finite;
    return;
  }
  const double number = value;
  ++finite;
  squares += number * number;
  min = std::min(min, number);
  max = std::max(max, number);
}

Statistics& Statistics::operator+=(const Statistics& other) {
  finite += other.finite;
  not_finite += other.not_finite;
  squares += other.squares;
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  return *this;
}

bool are_weights(const store::Array& array) {
  return array.type == store::Type::F32 || array.type == store::Type::I8;
}

Statistics statistics_of(const store::ArrayFile& file, const store::Array& array) {
  Statistics statistics;
  if (!are_weights(array)) return statistics;
  const store::Weights weights(file, array.name, array.shape);
  for (std::size_t i = 0; i < weights.size(); ++i) statistics.add(weights[i]);
  return statistics;
}

std::string_view part_of(std::string_view name) {
  return std::ranges::find_if(kParts,
                              [&](const PartRow& row) {
                                return name.starts_with(row.stack) &&
                                       name.find(row.word) != std::string_view::npos;
                              })
      ->part;
}

Survey survey(const store::ArrayFile& file, cli::Progress* progress) {
  file.verify();
  Survey all;
  std::uint64_t seen = 0, total = 0;
  for (const auto& array : file.arrays()) total += store::count_of(array.shape);
  for (const auto& row : kParts) {
    if (all.parts.empty() || all.parts.back().name != row.part) all.parts.push_back({row.part});
  }
  for (const auto& array : file.arrays()) {
    const auto numbers = store::count_of(array.shape);
    const auto type = store::name_of(array.type);
    if (std::ranges::find(all.types, type) == all.types.end()) all.types.push_back(type);
    all.arrays.push_back(statistics_of(file, array));
    seen += numbers;
    if (progress != nullptr)
      progress->update(
          {.done = seen, .share = static_cast<double>(seen) / static_cast<double>(total)});
    // Scales are part of other weights.
    if (store::is_scales(file, array) || store::is_shortlist(array)) continue;
    all.numbers += numbers;
    auto& part = *std::ranges::find(all.parts, part_of(array.name), &Part::name);
    ++part.arrays;
    part.numbers += numbers;
    part.statistics += all.arrays.back();
  }
  std::erase_if(all.parts, [](const Part& part) { return part.arrays == 0; });
  return all;
}

}  // namespace awend::tools
