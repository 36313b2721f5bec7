// The first half of detokenizer.perl -penn: what the rules of the Penn treebank split or renamed.
#include "text/moses/penn.hpp"
#include "text/moses/word_rules.hpp"

namespace awend::text::moses {
namespace {

constexpr MarkRule kHyphen[] = {{nullptr, " @-@ ", nullptr, "-"}};
constexpr MarkRule kSlash[] = {{nullptr, " @/@ ", nullptr, "/"}};

// Words whose second part begins with an apostrophe are joined later, except for "n't", which ends
// the first part.
constexpr WordRule kLongForms[] = {
    {" ", "n", "'t ", "", "'t "},          {" ", "N", "'T ", "", "'T "},
    {" ", "Cc", "an not ", " ", "annot "}, {" ", "Dd", "' ye ", " ", "'ye "},
    {" ", "Gg", "im me ", " ", "imme "},   {" ", "Gg", "on na ", " ", "onna "},
    {" ", "Gg", "ot ta ", " ", "otta "},   {" ", "Ll", "em me ", " ", "emme "},
    {" '", "Tt", " is ", " '", "is "},     {" '", "Tt", " was ", " '", "was "},
    {" ", "Ww", "an na ", " ", "anna "}};

constexpr MarkRule kBrackets[] = {
    {nullptr, "-LRB-", nullptr, "("}, {nullptr, "-RRB-", nullptr, ")"},
    {nullptr, "-LSB-", nullptr, "["}, {nullptr, "-RSB-", nullptr, "]"},
    {nullptr, "-LCB-", nullptr, "{"}, {nullptr, "-RCB-", nullptr, "}"}};

}  // namespace

void undo_penn(Work& work) {
  apply(kHyphen, work);
  apply(kSlash, work);
  work.text = without_entities(work.text);
  apply(kLongForms, work);
  apply(kBrackets, work);
}

}  // namespace awend::text::moses
