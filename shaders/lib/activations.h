// Numbers of activation functions, for GLSL and C++ (nn::Activation).
#ifndef AWEND_SHADERS_LIB_ACTIVATIONS_H
#define AWEND_SHADERS_LIB_ACTIVATIONS_H

#define ACTIVATION_NONE 0
#define ACTIVATION_RELU 1
#define ACTIVATION_GELU 2
#define ACTIVATION_SWISH 3
#define ACTIVATION_SIGMOID 4
#define ACTIVATION_TANH 5

#endif
