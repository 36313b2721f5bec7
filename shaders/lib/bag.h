// The weights of the rows of a bag of embeddings, for GLSL and C++.
#ifndef AWEND_SHADERS_LIB_BAG_H
#define AWEND_SHADERS_LIB_BAG_H

#define BAG_ONE 0       // a bag of words: the sum of the embeddings
#define BAG_POSITION 1  // position encoding (Sukhbaatar et al., 2015, section 4.1)

#endif
