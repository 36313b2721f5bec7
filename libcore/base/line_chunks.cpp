#include "base/line_chunks.hpp"

namespace awend::base {

std::optional<LineChunk> LineChunkReader::next() {
  if (error_) std::rethrow_exception(error_);
  LineChunk chunk;
  chunk.first_number = in_.line_number() + 1;
  chunk.text.reserve(chunk_bytes_ + chunk_bytes_ / 8);
  try {
    for (std::string_view line; in_.next(line);) {
      chunk.text += line;
      chunk.ends.push_back(chunk.text.size());
      chunk.input_waits = chunk_bytes_ == 0 || in_.waits();
      if (chunk.input_waits || chunk.text.size() >= chunk_bytes_) break;
    }
  } catch (...) {
    error_ = std::current_exception();
    if (chunk.ends.empty()) throw;
  }
  chunk.end_bytes = in_.position_bytes();
  return chunk.ends.empty() ? std::nullopt : std::optional(std::move(chunk));
}

}  // namespace awend::base
