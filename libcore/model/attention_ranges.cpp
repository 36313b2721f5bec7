#include "model/attention_ranges.hpp"

#include <algorithm>

namespace awend::model {

batch::RowRange in_window(const Config& config, const batch::RowRange& range, std::uint32_t row) {
  const std::uint32_t window = config.transformer.attention_window;
  if (window == 0) return range;
  return {std::max(range.begin, row - std::min(row, window)),
          std::min(range.end, row + window + 1)};
}

std::uint32_t longest_range(const Config& config, std::uint32_t longest) {
  const std::uint32_t window = config.transformer.attention_window;
  if (window == 0) return longest;
  return longest == 0 ? 2 * window + 1 : std::min(longest, 2 * window + 1);
}

batch::RowRange attended_source(const Config& config, const batch::RowRange& source) {
  const bool has_tokens = source.end - source.begin > 1;
  if (config.transformer.source_end == Switch::kOn || !has_tokens) return source;
  return {source.begin, source.end - 1};
}

batch::RowRange encoder_range(const Config& config, const batch::RowRange& source,
                              std::uint32_t row) {
  const batch::RowRange attended = attended_source(config, source);
  if (row >= attended.end) return {attended.end, source.end};
  return in_window(config, attended, row);
}

}  // namespace awend::model
