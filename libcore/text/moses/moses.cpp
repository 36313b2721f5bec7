#include "text/moses/moses.hpp"

#include "text/moses/characters.hpp"
#include "text/moses/detokenize.hpp"
#include "text/moses/passes.hpp"
#include "text/moses/penn.hpp"
#include "text/moses/protect.hpp"

namespace awend::text {

using namespace moses;

struct MosesTokenizer::State {
  MosesSettings settings;
  LanguageRules rules;
  Prefixes prefixes;
  Protector protector;
  Detokenizer detokenizer;
  Work work;
  std::string result;
};

namespace {

bool is_blank(std::string_view line) {
  for (std::size_t at = 0; at < line.size();) {
    const base::Utf8Step step = step_at(line, at);
    if (!is(step.code_point, kSpace)) return false;
    at += step.size_bytes;
  }
  return true;
}

// A dot and an apostrophe at the end of the line were one word until now.
void split_last_quote(Work& work) {
  std::string& text = work.text;
  if (text.ends_with(".'")) text.replace(text.size() - 2, 2, " . ' ");
}

}  // namespace

MosesTokenizer::MosesTokenizer(const MosesSettings& settings)
    : state_(std::make_unique<State>(State{
          .settings = settings,
          .rules = language_rules(settings.language),
          .prefixes = settings.prefixes.empty() ? Prefixes()
                                                : Prefixes(settings.prefixes, settings.language),
          .protector = settings.protected_patterns.empty() ? Protector()
                                                           : Protector(settings.protected_patterns),
          .detokenizer = Detokenizer(settings.language, settings.penn ? Detokenizer::Words::kPenn
                                                                      : Detokenizer::Words::kPlain),
          .work = {},
          .result = {}})) {}

MosesTokenizer::~MosesTokenizer() = default;

void MosesTokenizer::tokenize(std::string_view line, std::string& tokens) {
  if (is_blank(line)) {
    tokens += line;
    return;
  }
  State& state = *state_;
  Work& work = state.work;
  clean(line, work);
  if (state.settings.penn) {
    split_penn(state.prefixes, work);
  } else {
    state.protector.mark(work);
    squeeze(work);
    set_symbols_apart(state.rules,
                      state.settings.aggressive_hyphens ? Hyphens::kSplit : Hyphens::kKeep, work);
    set_dots_apart(work);
    split_commas(work);
    apply(state.rules.apostrophes, work);
    split_final_dots(state.prefixes, LastWord::kLosesDot, work);
    split_last_quote(work);
  }
  append_finished(work.text, state.protector.texts(),
                  state.settings.escape || state.settings.penn ? Escape::kYes : Escape::kNo,
                  tokens);
}

void MosesTokenizer::detokenize(std::string_view tokens, std::string& line) {
  // A line that consists of one tag is kept, like white space.
  const bool tag = tokens.size() > 2 && tokens.starts_with('<') && tokens.ends_with('>');
  if (tag || is_blank(tokens)) {
    line += tokens;
    return;
  }
  state_->result = state_->detokenizer.join(tokens);
  if (state_->settings.uppercase_first) uppercase_first(state_->result);
  line += state_->result;
}

}  // namespace awend::text
