// Special values of token ids, for GLSL and C++.
#ifndef AWEND_SHADERS_LIB_TOKENS_H
#define AWEND_SHADERS_LIB_TOKENS_H

// "No token": as an input of the decoder, the zero vector; as a result, no further token.
#define NO_TOKEN 0xffffffffu

// A bit of an id in a list of adjustments: scale the logit instead of adding to it
// (op_adjust.comp).
#define ADJUST_REPEATED 0x80000000u

#endif
