// Refusal of an output that would replace a file which the same command reads or a checkpoint of a
// run, and of stdin as two inputs.
//
// Such outputs are nearly always a mistake, for example `average -o run/best.safetensors`, where
// the output is a link to one of the averaged checkpoints.  Test: tests/conventions/outputs.sh.
#pragma once

#include <span>
#include <string>

#include "cli/options.hpp"

namespace awend::tools {

/// Throws Error if `output` is the same regular file as one of `inputs`, also through links.
void require_own_file(const std::string& output, std::span<const std::string> inputs);

/// require_own_file() for all options that name outputs, against the operands and the values of the
/// options that name inputs, also those of lists such as `-m A,B`, and the checkpoints in those
/// that are directories.  Throws Error if two outputs are the same, or one would replace a
/// checkpoint of a run (store::refuse_checkpoint_of_run()).
void require_own_files(const cli::Options& options);

/// Whether stdin is read without being named.
enum class ImpliedStdin { kNo, kYes };

/// Throws UsageError if more than one of the operands and the values of options that name inputs is
/// stdin: -, /dev/stdin, another name of its descriptor, or its pipe.  The name of a regular file
/// that is also stdin is another input, because it is read from its beginning.
void require_one_stdin(const cli::Options& options, ImpliedStdin implied);

}  // namespace awend::tools
