// The files of a parallel corpus, line by line.
#pragma once

#include <string>

namespace awend::data {

struct CorpusFiles {
  std::string source;           // "-" is standard input
  std::string target;           // empty of running text
  std::string alignments = {};  // of the words of each pair, see text/word_alignment.hpp; or empty
};

/// The names of source and target, for messages.
inline std::string names_of(const CorpusFiles& files) {
  return files.target.empty() ? files.source : files.source + ", " + files.target;
}

}  // namespace awend::data
