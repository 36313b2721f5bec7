#include "metrics/brackets/parse_tree.hpp"

#include "base/error.hpp"

namespace awend::metrics {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_bracket(char c) {
  return c == '(' || c == ')';
}

// The common part of both formats: the open constituents, and the position of the reader.
class TreeReader {
 public:
  TreeReader(std::string_view line, std::string_view where) : line_(line), where_(where) {}

  ParseTree bracketed();
  ParseTree linearized();

 private:
  enum class Holds { kNothing, kWord, kConstituents };
  struct Open {
    std::string_view label;
    std::size_t begin;     // of its words
    std::size_t position;  // in the line
    Holds holds = Holds::kNothing;
    std::string_view word = {};
  };

  template <class... Parts>
  [[noreturn]] void fail_at(std::size_t position, const Parts&... parts) const {
    base::fail(where_, ": byte ", position + 1, ": ", parts...);
  }

  void skip_space() {
    while (position_ < line_.size() && is_space(line_[position_])) ++position_;
  }
  // Up to white space and, in the bracketed format, a bracket.
  std::string_view atom(TreeForm form) {
    const auto begin = position_;
    while (position_ < line_.size() && !is_space(line_[position_]) &&
           (form == TreeForm::kLinearized || !is_bracket(line_[position_]))) {
      ++position_;
    }
    return line_.substr(begin, position_ - begin);
  }
  void open(std::string_view label, std::size_t position);
  void take_word(std::string_view word, std::size_t position);
  void close_bracketed();
  void close_constituent();
  ParseTree finish();

  std::string_view line_, where_;
  std::size_t position_ = 0;
  std::vector<Open> open_;
  ParseTree tree_;
};

void TreeReader::open(std::string_view label, std::size_t position) {
  if (!open_.empty()) {
    auto& parent = open_.back();
    if (parent.holds == Holds::kWord) fail_at(position, "a constituent next to a word");
    parent.holds = Holds::kConstituents;
  }
  open_.push_back({.label = label, .begin = tree_.leaves.size(), .position = position});
}

void TreeReader::close_constituent() {
  tree_.constituents.push_back({open_.back().label, open_.back().begin, tree_.leaves.size()});
  open_.pop_back();
}

void TreeReader::take_word(std::string_view word, std::size_t position) {
  if (open_.empty()) fail_at(position, "a word outside the tree");
  auto& parent = open_.back();
  if (parent.holds != Holds::kNothing) fail_at(position, "a word without a tag");
  parent.holds = Holds::kWord;
  parent.word = word;
}

void TreeReader::close_bracketed() {
  if (open_.empty()) fail_at(position_, "a closing bracket without an opening one");
  if (open_.back().holds != Holds::kWord) return close_constituent();
  tree_.leaves.push_back({open_.back().label, open_.back().word});
  open_.pop_back();
}

ParseTree TreeReader::finish() {
  if (!open_.empty()) fail_at(open_.back().position, "a bracket that nothing closes");
  return std::move(tree_);
}

ParseTree TreeReader::bracketed() {
  for (skip_space(); position_ < line_.size(); skip_space()) {
    const auto begin = position_;
    if (line_[begin] == '(') {
      ++position_;
      skip_space();
      open(atom(TreeForm::kBracketed), begin);
    } else if (line_[begin] == ')') {
      close_bracketed();
      ++position_;
    } else {
      take_word(atom(TreeForm::kBracketed), begin);
    }
  }
  return finish();
}

ParseTree TreeReader::linearized() {
  for (skip_space(); position_ < line_.size(); skip_space()) {
    const auto begin = position_;
    const auto token = atom(TreeForm::kLinearized);
    const auto label = token.substr(1);
    if (!is_bracket(token[0])) {
      if (open_.empty()) fail_at(begin, "a word outside the tree");
      tree_.leaves.push_back({.tag = token, .word = {}});
    } else if (label.empty()) {
      fail_at(begin, "a bracket without a label");
    } else if (token[0] == '(') {
      open(label, begin);
    } else if (open_.empty()) {
      fail_at(begin, "a closing bracket without an opening one");
    } else if (label != open_.back().label) {
      fail_at(begin, "'", token, "' closes '(", open_.back().label, "'");
    } else {
      close_constituent();
    }
  }
  return finish();
}

}  // namespace

ParseTree parse_tree(std::string_view line, TreeForm form, std::string_view where) {
  TreeReader reader(line, where);
  return form == TreeForm::kBracketed ? reader.bracketed() : reader.linearized();
}

}  // namespace awend::metrics
