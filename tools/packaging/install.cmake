# Files installed by `cmake --install`, in two components, and the Debian packages that CPack builds from them:
#
#   tools    programs, man pages, completions for three shells, recipes          package awend
#   library  modules of libcore as static libraries, headers, pkg-config, CMake    package libawend-dev
#   mpi      `train` with MPI, only for the package awend-mpi (package.cmake)
#
# Test: tests/install; tests/package.sh, run manually, on clean systems.
include(GNUInstallDirs)
set(AWEND_PROGRAM_PREFIX "" CACHE STRING "Prefix for the names of installed programs and their man pages, such as awend-")
set(AWEND_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Directory for zsh completions")
if(NOT AWEND_PROGRAM_PREFIX MATCHES "^[A-Za-z0-9._-]*$")
  message(FATAL_ERROR "AWEND_PROGRAM_PREFIX may have letters, digits, '.', '_' and '-': '${AWEND_PROGRAM_PREFIX}'")
endif()
get_property(tools GLOBAL PROPERTY AWEND_TOOLS)

# awend_strip(DIRECTORY COMPONENT OPTIONS FILE...): strips installed files that CMake does not.  DIRECTORY may be absolute.
function(awend_strip directory component options)
  install(CODE "if(CMAKE_INSTALL_DO_STRIP)
    foreach(file ${ARGN})
      cmake_path(APPEND path \"\${CMAKE_INSTALL_PREFIX}\" \"${directory}\" \"\${file}\")
      execute_process(COMMAND ${CMAKE_STRIP} ${options} \"\$ENV{DESTDIR}\${path}\")
    endforeach()
  endif()" COMPONENT ${component})
endfunction()

# awend_install_program(TOOL COMPONENT [EXCLUDE_FROM_ALL]): renamed with the prefix.  CMake strips only files installed as targets.
function(awend_install_program tool component)
  if(AWEND_PROGRAM_PREFIX STREQUAL "")
    install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component} ${ARGN})
  else()
    install(PROGRAMS $<TARGET_FILE:${tool}> DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME ${AWEND_PROGRAM_PREFIX}${tool}
            COMPONENT ${component} ${ARGN})
    awend_strip(${CMAKE_INSTALL_BINDIR} ${component} "" ${AWEND_PROGRAM_PREFIX}${tool})
  endif()
endfunction()
foreach(tool IN LISTS tools)
  awend_install_program(${tool} tools)
endforeach()

option(AWEND_COMPRESS_PAGES "Compress installed pages, as Debian does" OFF)
# Man pages.  Those of the tools are renamed like the tools, and commands and references in all pages are adapted.
list(JOIN tools "|" AWEND_TOOLS_PATTERN)
string(TOUPPER "${AWEND_PROGRAM_PREFIX}" AWEND_PROGRAM_PREFIX_UPPER)
configure_file(man/prefix.sed.in ${CMAKE_BINARY_DIR}/man/prefix.sed @ONLY)
file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/man/*.[1-9])
set(made "")
foreach(page IN LISTS pages)
  get_filename_component(name ${page} NAME)
  string(REGEX REPLACE ".*[.]" "" section ${name})
  if(section EQUAL 1)
    set(name ${AWEND_PROGRAM_PREFIX}${name})
  endif()
  if(AWEND_PROGRAM_PREFIX STREQUAL "")
    set(installed ${page})
  else()
    set(installed ${CMAKE_BINARY_DIR}/man/${name})
    add_custom_command(OUTPUT ${installed} COMMAND sed -E -f ${CMAKE_BINARY_DIR}/man/prefix.sed ${page} > ${installed}
                       DEPENDS ${page} ${CMAKE_BINARY_DIR}/man/prefix.sed VERBATIM)
    list(APPEND made ${installed})
  endif()
  if(AWEND_COMPRESS_PAGES)
    set(compressed ${CMAKE_BINARY_DIR}/man/${name}.gz)
    add_custom_command(OUTPUT ${compressed} COMMAND gzip -9nc ${installed} > ${compressed} DEPENDS ${installed} VERBATIM)
    list(APPEND made ${compressed})
    set(installed ${compressed})
  endif()
  install(FILES ${installed} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT tools)
endforeach()

# A separate target: pages need no programs, unlike completions.
add_custom_target(awend-pages ALL DEPENDS ${made})

# The pages as HTML, in the directory `manual`.
find_program(AWEND_MANDOC mandoc)
if(AWEND_MANDOC)
  add_custom_target(manual COMMAND ${CMAKE_SOURCE_DIR}/tools/packaging/manual.sh ${CMAKE_BINARY_DIR}/manual ${pages} VERBATIM)
else()
  add_custom_target(manual COMMAND ${CMAKE_COMMAND} -E echo "mandoc is missing: install it, and configure again" COMMAND ${CMAKE_COMMAND} -E false)
endif()

# Completions: each tool prints its own.  When cross-compiling the tools cannot run; then they are those of another build, or there are none.
set(AWEND_COMPLETIONS "" CACHE PATH "Directory `completions` of another build, for cross-compiling")
set(made "")
if(AWEND_COMPLETIONS)
  foreach(place "bash|${CMAKE_INSTALL_DATADIR}/bash-completion/completions" "zsh|${AWEND_ZSH_DIR}"
                "fish|${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
    string(REPLACE "|" ";" place ${place})
    list(GET place 0 shell)
    list(GET place 1 directory)
    install(DIRECTORY ${AWEND_COMPLETIONS}/${shell}/ DESTINATION ${directory} COMPONENT tools)
  endforeach()
elseif(NOT CMAKE_CROSSCOMPILING)
  foreach(tool IN LISTS tools)
    set(name ${AWEND_PROGRAM_PREFIX}${tool})
    foreach(place "bash|${CMAKE_INSTALL_DATADIR}/bash-completion/completions|${name}" "zsh|${AWEND_ZSH_DIR}|_${name}"
                  "fish|${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d|${name}.fish")
      string(REPLACE "|" ";" place ${place})
      list(GET place 0 shell)
      list(GET place 1 directory)
      list(GET place 2 file)
      set(script ${CMAKE_BINARY_DIR}/completions/${shell}/${file})
      file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/completions/${shell})
      add_custom_command(OUTPUT ${script} COMMAND ${tool} --completion ${shell} ${name} > ${script} DEPENDS ${tool} VERBATIM)
      list(APPEND made ${script})
      install(FILES ${script} DESTINATION ${directory} COMPONENT tools)
    endforeach()
  endforeach()
endif()
add_custom_target(awend-completions ALL DEPENDS ${made})
install(FILES README.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools)

# Recipes, and the corpus generator of the quickstart, which is not a tool.  They find the programs relative to their own directory, like
# pkg-config files the prefix.
set(recipes ${CMAKE_INSTALL_DATADIR}/awend/recipes)
# Their modes are not those of the source, which depend on the umask of who has cloned it.
set(readable OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
set(executable ${readable} OWNER_EXECUTE GROUP_EXECUTE WORLD_EXECUTE)
install(DIRECTORY tools/recipes/ DESTINATION ${recipes} COMPONENT tools
        FILE_PERMISSIONS ${executable} DIRECTORY_PERMISSIONS ${executable} FILES_MATCHING PATTERN *.sh PATTERN *.pl
        PATTERN *.conf PERMISSIONS ${readable} PATTERN *.awk PERMISSIONS ${readable}
        REGEX "/(setup|pipeline|wmt14)\\.sh$" PERMISSIONS ${readable})
install(TARGETS locale-corpus babi-stories RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/awend COMPONENT tools)
file(RELATIVE_PATH AWEND_RECIPES_TO_PROGRAMS /prefix/${recipes} /prefix/${CMAKE_INSTALL_BINDIR})
file(RELATIVE_PATH AWEND_RECIPES_TO_HELPERS /prefix/${recipes} /prefix/${CMAKE_INSTALL_LIBEXECDIR}/awend)
list(JOIN tools " " AWEND_TOOLS_WORDS)
configure_file(tools/packaging/installed.sh.in ${CMAKE_BINARY_DIR}/recipes/installed.sh @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/recipes/installed.sh DESTINATION ${recipes} COMPONENT tools)

# The library, without `cli`, which is for the programs.  Programs include its headers as "awend/decode/open.hpp".  Only these headers are installed, and those that they include.
set(awend_headers
    base/error.hpp base/lines.hpp base/report.hpp
    text/import.hpp text/sentences.hpp text/token_codec.hpp text/tokenizer.hpp text/vocabularies.hpp
    metrics/alignment_error_rate.hpp metrics/bleu/bleu.hpp metrics/bleu/paper_bleu.hpp metrics/brackets/brackets.hpp metrics/chrf/chrf.hpp metrics/ter/ter.hpp
    store/array_file.hpp store/array_writer.hpp store/checkpoints.hpp
    interchange/checkpoint.hpp interchange/read_model.hpp
    decode/open.hpp
    train/ranks/join_ranks.hpp train/run.hpp)
# They are part of the build, because who installs may not be allowed to write to the build directory.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/libcore/*.hpp ${CMAKE_SOURCE_DIR}/shaders/*.h)
set(stage ${CMAKE_BINARY_DIR}/include)
add_custom_command(OUTPUT ${stage}/staged
                   COMMAND ${CMAKE_COMMAND} "-Dawend_headers=${awend_headers}" -Dawend_source=${CMAKE_SOURCE_DIR} -Dawend_stage=${stage}
                           -P ${CMAKE_SOURCE_DIR}/tools/packaging/headers.cmake
                   COMMAND ${CMAKE_COMMAND} -E touch ${stage}/staged
                   DEPENDS ${headers} tools/packaging/headers.cmake VERBATIM)
add_custom_target(awend-headers ALL DEPENDS ${stage}/staged)
install(DIRECTORY ${CMAKE_BINARY_DIR}/include/awend DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
set(rooms base text store metrics host vulkan batch data nn model interchange forward decode train)
foreach(room IN LISTS rooms)
  set_target_properties(awend_${room} PROPERTIES EXPORT_NAME ${room})
  target_compile_features(awend_${room} PUBLIC cxx_std_20)
endforeach()
target_include_directories(awend_base INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(awend_shaders PROPERTIES EXPORT_NAME shaders)
set_target_properties(awend_model_config PROPERTIES EXPORT_NAME model_config)
target_compile_features(awend_model_config PUBLIC cxx_std_20)
list(TRANSFORM rooms PREPEND awend_ OUTPUT_VARIABLE targets)
install(TARGETS ${targets} awend_model_config awend_shaders EXPORT awend ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
# CMake does not strip archives, which consist mostly of debug information.
list(TRANSFORM targets REPLACE ".+" "$<TARGET_FILE_NAME:\\0>" OUTPUT_VARIABLE archives)
awend_strip(${CMAKE_INSTALL_LIBDIR} library "--strip-debug --enable-deterministic-archives" ${archives} $<TARGET_FILE_NAME:awend_model_config>)

include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/awend)
configure_package_config_file(tools/packaging/awend-config.cmake.in ${CMAKE_BINARY_DIR}/cmake/awend-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/cmake/awend-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT awend NAMESPACE awend:: FILE awend-targets.cmake DESTINATION ${package} COMPONENT library)
install(FILES ${CMAKE_BINARY_DIR}/cmake/awend-config.cmake ${CMAKE_BINARY_DIR}/cmake/awend-config-version.cmake
        DESTINATION ${package} COMPONENT library)

# Three pkg-config files: for text and metrics, for translation, and for training, which may need MPI.
# They compute the prefix from their own directory, because `cmake --install --prefix` may override the configured one.
file(RELATIVE_PATH AWEND_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" AWEND_PC_TO_PREFIX ${AWEND_PC_TO_PREFIX})
set(AWEND_PC_MPI "")
if(AWEND_HAS_MPI)
  set(AWEND_PC_MPI "-lboost_mpi -lboost_serialization")
  foreach(library IN LISTS MPI_CXX_LIBRARIES)
    string(APPEND AWEND_PC_MPI " ${library}")
  endforeach()
endif()
foreach(file awend awend-text awend-train)
  configure_file(tools/packaging/${file}.pc.in ${CMAKE_BINARY_DIR}/cmake/${file}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/cmake/${file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
endforeach()
include(tools/packaging/package.cmake)

# All that is installed, for who builds no tests.
add_custom_target(awend DEPENDS ${tools} locale-corpus babi-stories ${targets} awend-pages awend-completions awend-headers)

# For `uninstall`.  CMake's manifests do not serve: CPack replaces them by those of packages, whose files were not installed.
install(CODE "if(NOT \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\" MATCHES \"/_CPack_Packages/\")
  list(JOIN CMAKE_INSTALL_MANIFEST_FILES \"\\n\" files)
  file(APPEND \"${CMAKE_BINARY_DIR}/installed.txt\" \"\${files}\\n\")
endif()" ALL_COMPONENTS)
add_custom_target(uninstall COMMAND ${CMAKE_SOURCE_DIR}/tools/packaging/uninstall.sh ${CMAKE_BINARY_DIR}/installed.txt
                  COMMENT "Removing what was installed from ${CMAKE_BINARY_DIR}" VERBATIM)
