// Fills a tensor with one value.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { float values[]; } y;
layout(push_constant) uniform Push { uint count; float value; } pc;
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < pc.count) y.values[i] = pc.value;
}
