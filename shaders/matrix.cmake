# Kernels for matrix units (VK_KHR_cooperative_matrix), which not every GLSL compiler supports: glslang 13 and later support
# cooperative matrices, 15.3 and later also with bf16; Debian 12 has an older version.
#
#   awend_matrix_kernel(NAME SOURCE)
#
# embeds SOURCE for fp16 and, if the compiler supports it, for bf16; otherwise vulkan/bfloat16 converts the module for fp16.  If the
# compiler does not support cooperative matrices, prebuilt/NAME.h is embedded.  The target regenerate-shaders rewrites these files;
# after a change of their sources, run it with a recent compiler (tests/matrix.sh does).  tests/lint/prebuilt.sh detects such changes.
# Modules have no names and line numbers (-g0), to be small.

# awend_glslang_supports(VARIABLE EXTENSION): whether the compiler supports an extension of GLSL.
function(awend_glslang_supports variable extension)
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/${extension}.comp)
  file(WRITE ${probe} "#version 460\n#extension ${extension} : require\nvoid main() {}\n")
  execute_process(COMMAND ${AWEND_GLSLANG} -V --target-env vulkan1.3 -o ${probe}.spv ${probe}
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(${variable} TRUE PARENT_SCOPE)
  else()
    set(${variable} FALSE PARENT_SCOPE)
  endif()
endfunction()
awend_glslang_supports(AWEND_GLSLANG_MATRICES GL_KHR_cooperative_matrix)
awend_glslang_supports(AWEND_GLSLANG_BFLOAT16 GL_EXT_bfloat16)

set(matrix_headers "")
set(matrix_includes "")
set(matrix_rows "")
set(matrix_origin compiled)
add_custom_target(regenerate-shaders)

# awend_matrix_module(NAME ELEMENT SOURCE [DEFINE...]): compiles one module to a header, as for portable kernels.
function(awend_matrix_module name element source)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/${name}.${element}.spv.h)
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${AWEND_GLSLANG} --quiet -g0 -V --target-env vulkan1.3 ${ARGN} -I${CMAKE_CURRENT_SOURCE_DIR}
            --depfile ${header}.d --vn kernel_${name}_${element} -o ${header} ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    DEPFILE ${header}.d
    COMMENT "Compiling kernel ${name} (${element})"
    VERBATIM)
  set(matrix_headers ${matrix_headers} ${header} PARENT_SCOPE)
  set(matrix_includes "${matrix_includes}#include \"${name}.${element}.spv.h\"\n" PARENT_SCOPE)
endfunction()

function(awend_matrix_kernel name source)
  set(prebuilt ${CMAKE_CURRENT_SOURCE_DIR}/prebuilt/${name}.h)
  set(bfloat16 "{}")
  if(AWEND_GLSLANG_MATRICES)
    awend_matrix_module(${name} fp16 ${source})
    if(AWEND_GLSLANG_BFLOAT16)
      awend_matrix_module(${name} bf16 ${source} -DBFLOAT16)
      set(bfloat16 kernel_${name}_bf16)
    endif()
    add_custom_target(regenerate-${name}
                      COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/prebuilt/regenerate.sh ${AWEND_GLSLANG} ${name} ${source} VERBATIM)
    add_dependencies(regenerate-shaders regenerate-${name})
  else()
    file(STRINGS ${prebuilt} compiler REGEX "^// Compiler: ")
    string(REPLACE "// Compiler: " "" compiler "${compiler}")
    set(matrix_origin "prebuilt (${compiler})" PARENT_SCOPE)
    string(APPEND matrix_includes "#include \"shaders/prebuilt/${name}.h\"\n")
  endif()
  set(matrix_headers ${matrix_headers} PARENT_SCOPE)
  set(matrix_includes ${matrix_includes} PARENT_SCOPE)
  set(matrix_rows "${matrix_rows}    {\"${name}\", kernel_${name}_fp16, ${bfloat16}},\n" PARENT_SCOPE)
endfunction()
