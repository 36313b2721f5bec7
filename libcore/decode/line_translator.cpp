#include "decode/line_translator.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::decode {

LineTranslator::LineTranslator(TranslationModel::Parts& model, base::OutputFile& out,
                               Settings settings)
    : model_(model),
      translator_(model.translator()),
      out_(out),
      long_lines_(model.report),
      long_prefixes_(model.report),
      broken_lines_(model.report),
      settings_(std::move(settings)) {
  if (settings_.markup != nullptr) markup_.emplace(*settings_.markup, model.vocabularies.both());
}

base::LineReader LineTranslator::open(const std::string& path, base::TextPolicy policy) {
  return or_drain([&] { return base::LineReader(path, policy); });
}

void LineTranslator::read(base::LineReader& in) {
  std::string_view line;
  for (;;) {
    const bool full = settings_.pace == Pace::kStream ? !translator_.accepts_input() : true;
    if (translator_.has_work() && (full || waits(in))) {
      step();
    } else if (next(in, line)) {
      markup_ ? put_markup(line, in) : put(line, in);
      ++lines_read_;
    } else {
      return;
    }
  }
}

/// Before an error of `call`, the lines in progress are written.
template <class Call>
auto LineTranslator::or_drain(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const base::Error&) {
    drain();
    throw;
  }
}

/// Whether next() or next_prefix() would have to wait for a writer.
bool LineTranslator::waits(base::LineReader& in) {
  return or_drain(
      [&] { return in.waits() || (settings_.prefixes != nullptr && settings_.prefixes->waits()); });
}

bool LineTranslator::next(base::LineReader& in, std::string_view& line) {
  return or_drain([&] { return in.next(line); });
}

/// An error of `call` names the last line of `in`; the lines before it are written first.
template <class Call>
auto LineTranslator::at(const base::LineReader& in, const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const base::Error& error) {
    drain();
    base::fail(in.place(), ": ", error.message());
  }
}

void LineTranslator::drain() {
  while (translator_.has_work()) step();
}

void LineTranslator::finish() {
  drain();
  long_lines_.summarize(": translated in pieces");
  long_prefixes_.summarize(" of prefixes");
  broken_lines_.summarize(" with broken markup");
  std::string_view line;
  if (settings_.prefixes == nullptr || !settings_.prefixes->next(line)) return;
  base::fail(settings_.prefixes->name(), ": more lines than the input's ", lines_);
}

std::vector<std::uint32_t> LineTranslator::next_prefix(const base::LineReader& in) {
  if (settings_.prefixes == nullptr) return {};
  std::string_view line;
  if (!next(*settings_.prefixes, line)) {
    drain();
    base::fail(settings_.prefixes->name(), ": ends after ", settings_.prefixes->line_number(),
               " lines, before ", in.place());
  }
  return at(*settings_.prefixes, [&] { return model_.targets.ids_of(line, settings_.form); });
}

SourceLine LineTranslator::read_source(std::string_view text, const base::LineReader& in) {
  auto line = at(in, [&] {
    auto read = model_.read_source(text, settings_.form);
    model_.require_whole(read);
    return read;
  });
  line.number = lines_read_;
  warn_of_long_line(line.ids.size(), in);
  return line;
}

/// All texts of the line are read before the first one is put, so that one that is wrong leaves no
/// part of the line in progress.
void LineTranslator::put_markup(std::string_view text, const base::LineReader& in) {
  auto line = at(in, [&] { return markup_->parse(text); });
  if (!line.markup.problem.empty())
    broken_lines_.add(base::concat(in.place(), ": ", line.markup.problem));
  std::vector<SourceLine> sources;
  for (auto& part : line.texts) {
    auto& source = sources.emplace_back(read_source(part.text, in));
    source.needs_weights = part.needs_weights;
    if (part.needs_weights) part.tokens = source.tokens;
  }
  markup_->put(std::move(line));
  for (auto& source : sources) at(in, [&] { model_.put(std::move(source), settings_.form, {}); });
}

void LineTranslator::put(std::string_view text, const base::LineReader& in) {
  auto line = read_source(text, in);
  const auto tokens = line.ids.size();
  const auto prefix = next_prefix(in);
  warn_of_long_prefix(prefix, tokens);
  // Only a prefix can be wrong now.
  at(settings_.prefixes != nullptr ? *settings_.prefixes : in,
     [&] { model_.put(std::move(line), settings_.form, prefix); });
}

void LineTranslator::warn_of_long_line(std::size_t tokens, const base::LineReader& in) {
  const auto longest = translator_.longest_piece();
  if (tokens <= longest) return;
  long_lines_.add(base::concat(in.place(), ": ", tokens, " tokens are more than ", longest,
                               ", the longest input: translated in ",
                               base::divide_up(tokens, longest), " pieces"));
}

void LineTranslator::warn_of_long_prefix(const std::vector<std::uint32_t>& prefix,
                                         std::size_t tokens) {
  // The prefix of a line belongs to its first piece.
  const std::size_t pieces =
      std::max<std::size_t>(base::divide_up(tokens, translator_.longest_piece()), 1);
  const auto longest = translator_.longest_output(tokens / pieces);
  if (prefix.size() <= longest) return;
  long_prefixes_.add(base::concat(settings_.prefixes->place(), ": ", prefix.size(),
                                  " tokens are more than ", longest,
                                  ", the longest output: the rest is ignored"));
}

void LineTranslator::step() {
  translator_.step();
  const std::uint64_t before = lines_;
  while (auto translations = model_.take()) {
    if (markup_) {
      auto line = markup_->add(std::move(translations->front()));
      if (!line) continue;
      translations->assign(1, std::move(*line));
    }
    out_.write(answer_text(settings_.output, lines_++, *translations));
  }
  if (lines_ == before) return;
  out_.flush();
  if (settings_.after_lines) settings_.after_lines(lines_);
}

}  // namespace awend::decode
