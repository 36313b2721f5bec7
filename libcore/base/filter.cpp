#include "base/filter.hpp"

#include <vector>

#include "base/parallel.hpp"

namespace awend::base {
namespace {

// Enough that handing a chunk from thread to thread costs nothing beside the work in it.
constexpr std::size_t kChunkBytes = 64 * 1024;

// Lines end to end.
struct Chunk {
  std::string text;
  std::vector<std::size_t> ends;
  std::uint64_t first_number = 0;
  bool input_waits = false;
};

struct Answer {
  std::string text;
  bool input_waits = false;
  std::exception_ptr error;  // of the line after `text`
};

// Cuts the input into chunks.  An error waits until the chunk before it was given out.
class ChunkReader {
 public:
  ChunkReader(LineReader& in, Flushing flushing)
      : in_(in), capacity_bytes_(flushing == Flushing::kEveryLine ? 0 : kChunkBytes) {}

  std::optional<Chunk> next() {
    if (error_) std::rethrow_exception(error_);
    Chunk chunk;
    chunk.first_number = in_.line_number() + 1;
    try {
      for (std::string_view line; in_.next(line);) {
        chunk.text += line;
        chunk.ends.push_back(chunk.text.size());
        chunk.input_waits = capacity_bytes_ == 0 || in_.waits();
        if (chunk.input_waits || chunk.text.size() >= capacity_bytes_) break;
      }
    } catch (...) {
      error_ = std::current_exception();
      if (chunk.ends.empty()) throw;
    }
    return chunk.ends.empty() ? std::nullopt : std::optional(std::move(chunk));
  }

 private:
  LineReader& in_;
  std::size_t capacity_bytes_;
  std::exception_ptr error_;
};

Answer answer(LineWorker& worker, const Chunk& chunk, const std::string& name) {
  Answer answer{{}, chunk.input_waits, nullptr};
  std::size_t begin = 0;
  for (std::size_t i = 0; i < chunk.ends.size(); begin = chunk.ends[i++]) {
    const auto text = std::string_view(chunk.text).substr(begin, chunk.ends[i] - begin);
    const std::size_t size_bytes = answer.text.size();
    try {
      worker.answer({text, chunk.first_number + i}, answer.text);
    } catch (const Error& error) {
      answer.text.resize(size_bytes);
      answer.error = std::make_exception_ptr(
          Error(concat(name, ":", chunk.first_number + i, ": ", error.what())));
      break;
    }
    answer.text += '\n';
  }
  return answer;
}

}  // namespace

void map_lines(LineReader& in, OutputFile& out, const FilterSettings& settings,
               const std::function<std::unique_ptr<LineWorker>()>& make_worker) {
  ChunkReader chunks(in, settings.flushing);
  std::vector<std::unique_ptr<LineWorker>> workers;
  for (unsigned i = 0; i < std::max(1U, settings.threads); ++i) workers.push_back(make_worker());
  Stream<Chunk, Answer> stream;
  stream.produce = [&] { return chunks.next(); };
  stream.transform = [&](unsigned worker, const Chunk& chunk) {
    return answer(*workers[worker], chunk, in.name());
  };
  stream.consume = [&](const Answer& answer) {
    out.write(answer.text);
    if (answer.input_waits) out.flush();
    if (answer.error) std::rethrow_exception(answer.error);
  };
  ordered_map(settings.threads, stream);
}

}  // namespace awend::base
