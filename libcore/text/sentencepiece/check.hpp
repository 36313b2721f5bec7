// Validation of a SentencePiece model before the library parses it.
//
// The library trusts its input.  A damaged table of its normalizer makes it read out of bounds, as
// do more than 64 symbols of which each begins with the one before; its self-test prints to stderr
// (all observed with 0.1.97).  Whatever it does not check is checked here.  Test:
// tests/fuzz/sentencepiece_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace awend::text {

/// True if a file with these first bytes can be a SentencePiece model: a message that begins with a
/// message that begins with a piece.  A vocabulary, codes, safetensors, gzip or text never do.
bool begins_like_sentencepiece(std::string_view first_bytes);

/// The model without its self-test, which would print its results.  Error "name: what" for bytes
/// that are not a model or not safe for the library.
std::string checked_sentencepiece(std::string_view bytes, const std::string& name);

}  // namespace awend::text
