#include "base/filter.hpp"

#include <vector>

#include "base/line_chunks.hpp"
#include "base/parallel.hpp"

namespace awend::base {
namespace {

struct Answer {
  std::string text;
  bool input_waits = false;
  Answered answered;
  std::exception_ptr error;  // of the line after `text`
};

Answer answer(LineWorker& worker, const LineChunk& chunk, const std::string& name) {
  Answer answer{
      {}, chunk.input_waits, {chunk.first_number + chunk.size() - 1, chunk.end_bytes}, nullptr};
  answer.text.reserve(2 * chunk.text.size());
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    const std::size_t size_bytes = answer.text.size();
    try {
      worker.answer({chunk.line(i), chunk.first_number + i}, answer.text);
    } catch (const Error& error) {
      answer.text.resize(size_bytes);
      answer.error = std::make_exception_ptr(
          Error(Message(name, ":", chunk.first_number + i, ": ", error.message())));
      break;
    }
    answer.text += '\n';
  }
  return answer;
}

}  // namespace

void map_lines(LineReader& in, OutputFile& out, const FilterSettings& settings,
               const std::function<std::unique_ptr<LineWorker>()>& make_worker) {
  LineChunkReader chunks(
      in, settings.flushing == Flushing::kEveryLine ? 0 : LineChunkReader::kChunkBytes);
  std::vector<std::unique_ptr<LineWorker>> workers;
  for (unsigned i = 0; i < std::max(1U, settings.threads); ++i) workers.push_back(make_worker());
  Stream<LineChunk, Answer> stream;
  stream.produce = [&] { return chunks.next(); };
  stream.transform = [&](unsigned worker, const LineChunk& chunk) {
    return answer(*workers[worker], chunk, in.name());
  };
  stream.consume = [&](const Answer& answer) {
    out.write(answer.text);
    if (answer.input_waits) out.flush();
    if (answer.error) std::rethrow_exception(answer.error);
    if (settings.progress) settings.progress(answer.answered);
  };
  ordered_map(settings.threads, stream);
}

}  // namespace awend::base
