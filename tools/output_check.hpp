// Refusal of an output that would replace a file which the same command reads.
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
/// options that name inputs, also those of lists such as `-m A,B`.  Throws Error if two outputs are
/// the same.
void require_own_files(const cli::Options& options);

}  // namespace awend::tools
