// align: aligns the words of two texts that translate each other.  Test: tests/cli/align.sh.
#include <memory>

#include "align/aligner.hpp"
#include "align/link_lexicon.hpp"
#include "base/machine.hpp"
#include "base/parallel.hpp"
#include "base/size.hpp"
#include "cli/progress.hpp"
#include "filter_options.hpp"
#include "run_tool.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"-s FILE -t FILE [OPTION]... > alignments"};

constexpr cli::Option kOptions[] = {
    {"source", 's', "FILE", "", "text or tokens; words are separated by spaces"},
    {"target", 't', "FILE", "", "its translation, line for line"},
    {"output", 'o', "OUT", "-", "output file; - is stdout"},
    {"symmetrize", 0, "METHOD", "grow-diag-final-and",
     "links out of those of both directions: grow-diag-final-and, grow-diag-final, grow-diag, "
     "intersection, union; forward and "
     "reverse are those of one direction",
     "", base::texts_of<align::kSymmetrizationWords>},
    {"scores", 0, "", "", "prefix each line with the mean log-probability of its words and a tab"},
    {.help = "Models"},
    {"prior", 0, "FILE", "", "align with the counts of an earlier call"},
    {"save-prior", 0, "OUT", "", "write the counts of this text, and of --prior, for later calls"},
    {"lexicon", 0, "OUT", "",
     "write probabilities of target words for each source word, in Marian's form"},
    {"iterations", 0, "N,M", "2,1",
     "iterations with positions by the diagonal, and of the hidden Markov model"},
    {"sweeps", 0, "N", "",
     "how often all links are drawn; 0: never; default: by the size of the text"},
    {"seed", 0, "N", "1", "random seed"},
    {"max-length", 0, "N", "500", "longest line in words; longer ones have no links"},
    {.help = "Running"},
    kThreadsOption,
    {"memory", 0, "SIZE", "50%",
     "memory for text and counts, such as 4G or 50%; what exceeds it is in temporary files"},
    {"temporary-directory", 0, "DIR", "",
     "directory of temporary files; default: $TMPDIR, or /tmp"},
    kReplaceInvalidOption,
};

constexpr cli::ToolDescription kTool = {
    .name = "align",
    .purpose = "Align the words of two texts that translate each other, line by line.",
    .usage = kUsage,
    .options = kOptions,
};

struct Texts {
  std::string source, target;
  std::size_t max_length;
};

void read(const cli::Options& options, const Texts& texts, const base::Report& report,
          align::Bitext& bitext) {
  const base::TextPolicy policy = invalid_utf8_of(options);
  base::LineReader source(texts.source, policy), target(texts.target, policy);
  const std::vector<std::string> files = {texts.source, texts.target};
  cli::Progress progress(report, {.what = "reading", .unit = "lines", .inputs = files});
  std::string_view source_line, target_line;
  std::uint64_t long_pairs = 0;
  while (true) {
    const bool has_source = source.next(source_line), has_target = target.next(target_line);
    if (!has_source && !has_target) break;
    if (!has_source || !has_target) {
      const auto& [shorter, longer] =
          has_target ? std::tie(source, target) : std::tie(target, source);
      base::fail(longer.name(), ": has more lines than ", shorter.name(), ", which has ",
                 shorter.line_number());
    }
    if (!bitext.add(source_line, target_line, texts.max_length)) ++long_pairs;
    progress.update(
        {.done = bitext.size(), .bytes = source.position_bytes() + target.position_bytes()});
  }
  warn_of_input(report, source);
  warn_of_input(report, target);
  if (long_pairs > 0)
    report.warning(base::concat(long_pairs, " pairs have more than ", texts.max_length,
                                " words on a side, and no links; see --max-length"));
}

// A number without its suffix, such as 4 for 4G, would take days.
std::size_t memory_of(const cli::Options& options) {
  constexpr std::size_t kLeastBytes = std::size_t{1} << 20;
  const auto text = options.text("memory");
  return cli::for_option("memory", [&] {
    const auto bytes = base::parse_size(text, base::usable_memory_bytes());
    if (bytes < kLeastBytes) base::fail("must be at least 1M, got ", text);
    return bytes;
  });
}

// Opened before the work, which may take hours, so that a wrong name is reported at once.
std::unique_ptr<base::OutputFile> output_of(const cli::Options& options, std::string_view name) {
  return options.has(name) ? std::make_unique<base::OutputFile>(options.text(name)) : nullptr;
}

align::AlignerSettings settings_of(const cli::Options& options, std::size_t memory_bytes) {
  align::AlignerSettings settings;
  const auto iterations = options.last_list("iterations");
  if (iterations.size() != 2)
    throw base::UsageError("--iterations expects two numbers, such as 5,6");
  cli::for_option("iterations", [&] {
    settings.model.diagonal_iterations =
        base::to_number<int>(iterations[0], "a number", {.min = 1, .max = 100});
    settings.model.markov_iterations =
        base::to_number<int>(iterations[1], "a number", {.min = 0, .max = 100});
  });
  if (options.has("sweeps"))
    settings.model.sweeps = options.integer<int>("sweeps", {.min = 0, .max = 1'000'000});
  settings.model.seed =
      options.integer<std::uint64_t>("seed", {.min = 0, .max = align::kLargestSeed});
  settings.model.threads = threads_of(options);
  settings.model.memory_bytes = memory_bytes;
  settings.symmetrization = options.choice<align::kSymmetrizationWords>("symmetrize");
  return settings;
}

// Lines of alignments, in the order of the text, on all threads.
void write_alignments(const align::Bitext& bitext, const align::Aligner& aligner,
                      const cli::Options& options, base::OutputFile& out,
                      align::LinkLexicon* lexicon) {
  constexpr std::size_t kPart = 256;
  struct Part {
    std::size_t begin;
    std::string lines;
    std::vector<std::vector<text::Link>> links;
  };
  const auto threads = threads_of(options);
  const bool has_scores = options.flag("scores");
  std::vector<align::DirectedModel::Scratch> scratch(threads);
  std::size_t next = 0;
  const auto produce = [&]() -> std::optional<std::size_t> {
    if (next >= bitext.size()) return std::nullopt;
    return std::exchange(next, next + kPart);
  };
  const auto transform = [&](unsigned worker, std::size_t begin) {
    Part part{.begin = begin, .lines = {}, .links = {}};
    for (auto i = begin; i < std::min(bitext.size(), begin + kPart); ++i) {
      auto links = aligner.align(i, scratch[worker]);
      if (has_scores)
        part.lines += base::concat(static_cast<float>(aligner.score(i, scratch[worker])), "\t");
      text::append_word_alignment(links, part.lines);
      part.lines += '\n';
      if (lexicon != nullptr) part.links.push_back(std::move(links));
    }
    return part;
  };
  const auto consume = [&](const Part& part) {
    out.write(part.lines);
    for (std::size_t i = 0; i < part.links.size(); ++i)
      lexicon->add(bitext[part.begin + i], part.links[i]);
  };
  base::ordered_map<std::size_t, Part>(threads, {produce, transform, consume});
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  const Texts texts{options.required("source"), options.required("target"),
                    options.integer<std::size_t>("max-length", {.min = 1, .max = 10000})};
  const base::Report report = cli::report_for(options);
  base::OutputFile out(options.text("output"));
  const auto lexicon_file = output_of(options, "lexicon");
  const auto prior_file = output_of(options, "save-prior");
  const auto memory_bytes = memory_of(options);
  align::Bitext bitext(memory_bytes / 2, options.has("temporary-directory")
                                             ? options.text("temporary-directory")
                                             : base::temporary_directory());
  align::Priors priors;
  if (options.has("prior")) {
    base::LineReader lines(options.text("prior"));
    priors = align::read_priors(lines, bitext);
  }
  const auto settings = settings_of(options, memory_bytes / 2);
  read(options, texts, report, bitext);
  report.note(base::concat(bitext.size(), " pairs, ", bitext.source_words.size() - 1, " and ",
                           bitext.target_words.size() - 1, " distinct words"));

  cli::Progress progress(report, {.what = "estimating", .unit = "pairs"});
  align::Aligner aligner(bitext, settings, priors, [&](double share) {
    progress.update({.done = static_cast<std::uint64_t>(share * static_cast<double>(bitext.size())),
                     .share = share});
  });
  align::LinkLexicon lexicon;
  write_alignments(bitext, aligner, options, out, lexicon_file ? &lexicon : nullptr);
  out.commit();  // first, so that an error of another output does not remove it
  if (lexicon_file) {
    lexicon.write(bitext, *lexicon_file);
    lexicon_file->commit();
  }
  if (prior_file) {
    align::write_priors(aligner.counts(priors), bitext, *prior_file);
    prior_file->commit();
  }
}

}  // namespace awend::tools
