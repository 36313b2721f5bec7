#include "word_counting.hpp"

#include <algorithm>
#include <atomic>

#include "base/machine.hpp"
#include "base/size.hpp"

namespace awend::tools {

Counting::Counting(const cli::Options& options) {
  settings.threads = threads_of(options);
  settings.memory_bytes = base::parse_size(options.text("memory"), base::usable_memory_bytes());
  if (options.has("temporary-directory")) settings.directory = options.text("temporary-directory");
  memory = std::make_unique<base::SpillResource>(settings.memory_bytes, settings.directory);
}

text::WordList Counting::count(const cli::Options& options, const base::Report& report) const {
  text::WordCounter counter(settings);
  for_each_line(
      {options, report, settings.threads},
      [&](unsigned worker, std::string_view line) { counter.add(worker, line); },
      [&](unsigned worker) { counter.spill_if_large(worker); });
  return finish(counter, report);
}

text::WordList Counting::count(std::span<const std::string> lines,
                               const base::Report& report) const {
  constexpr std::size_t kChunk = 4096;
  text::WordCounter counter(settings);
  std::atomic<std::size_t> next = 0;
  base::run_on_threads(settings.threads, [&](unsigned worker) {
    for (std::size_t begin; (begin = next.fetch_add(kChunk)) < lines.size();) {
      for (const std::string& line : lines.subspan(begin, std::min(kChunk, lines.size() - begin)))
        counter.add(worker, line);
      counter.spill_if_large(worker);
    }
  });
  return finish(counter, report);
}

text::WordList Counting::finish(text::WordCounter& counter, const base::Report& report) const {
  if (counter.has_spilled())
    report.note(
        base::concat("word counts were written to temporary files in ", settings.directory));
  text::WordList list = counter.finish(memory.get());
  report.note(base::concat("the text has ", list.words().size(), " distinct words"));
  return list;
}

}  // namespace awend::tools
