// Trees in both formats, and invalid ones.
#include "metrics/brackets/parse_tree.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"

namespace {

using namespace awend::metrics;

std::string shown(std::string_view line, TreeForm form) {
  const auto tree = parse_tree(line, form, "f:1");
  std::string text;
  for (const auto& leaf : tree.leaves)
    text += std::string(leaf.tag) + "/" + std::string(leaf.word) + " ";
  for (const auto& [label, begin, end] : tree.constituents)
    text += std::string(label) + "[" + std::to_string(begin) + "," + std::to_string(end) + ")";
  return text;
}

std::string complaint(std::string_view line, TreeForm form = TreeForm::kBracketed) {
  try {
    parse_tree(line, form, "f:1");
  } catch (const awend::base::Error& error) {
    return error.what();
  }
  return "none";
}

TEST_CASE("bracketed trees") {
  CHECK(shown("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", TreeForm::kBracketed) ==
        "DT/the NN/dog VBZ/barks NP[0,2)VP[2,3)S[0,3)");
  CHECK(shown(" ( (S(X a )\t( Y b)) ) ", TreeForm::kBracketed) == "X/a Y/b S[0,2)[0,2)");
  CHECK(shown("(X a)", TreeForm::kBracketed) == "X/a ");
  CHECK(shown("(S (NP) (X a))", TreeForm::kBracketed) == "X/a NP[0,0)S[0,1)");
  CHECK(shown("(S (X a)) (Y b)", TreeForm::kBracketed) == "X/a Y/b S[0,1)");
  CHECK(shown("", TreeForm::kBracketed) == "");
  CHECK(shown("(())", TreeForm::kBracketed) == "[0,0)[0,0)");
}

TEST_CASE("linearized trees") {
  CHECK(shown("(S (NP XX XX )NP (VP XX )VP . )S", TreeForm::kLinearized) ==
        "XX/ XX/ XX/ ./ NP[0,2)VP[2,3)S[0,4)");
  CHECK(shown("(S )S", TreeForm::kLinearized) == "S[0,0)");
  CHECK(shown(" ", TreeForm::kLinearized) == "");
}

TEST_CASE("an invalid tree is refused with its position") {
  CHECK(complaint("(S (X a)") == "f:1: byte 1: a bracket that nothing closes");
  CHECK(complaint("(S (X a)))") == "f:1: byte 10: a closing bracket without an opening one");
  CHECK(complaint("a") == "f:1: byte 1: a word outside the tree");
  CHECK(complaint("(S (X a) b)") == "f:1: byte 10: a word without a tag");
  CHECK(complaint("(X a b)") == "f:1: byte 6: a word without a tag");
  CHECK(complaint("(X a (Y b))") == "f:1: byte 6: a constituent next to a word");
  const auto linearized = TreeForm::kLinearized;
  CHECK(complaint("(S XX", linearized) == "f:1: byte 1: a bracket that nothing closes");
  CHECK(complaint("(S (NP XX )S", linearized) == "f:1: byte 11: ')S' closes '(NP'");
  CHECK(complaint("(S XX )S )S", linearized) ==
        "f:1: byte 10: a closing bracket without an opening one");
  CHECK(complaint("( XX )", linearized) == "f:1: byte 1: a bracket without a label");
  CHECK(complaint("(S XX )S XX", linearized) == "f:1: byte 10: a word outside the tree");
}

}  // namespace
