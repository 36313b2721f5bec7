# Debian packages by CPack: run `cpack -G DEB` in the build directory.  With SOURCE_DATE_EPOCH, two runs write the same bytes.  release.sh
# builds all packages of a release; tests/package.sh tests them.
set(CPACK_PACKAGE_NAME awend)
set(CPACK_PACKAGE_VENDOR "The awend authors")
# The maintainer comes from the variables that Debian's tools use.  The address by default has a domain that cannot receive mail.
set(contact "The awend authors <awend@awend.invalid>")
if(NOT "$ENV{DEBEMAIL}" STREQUAL "")
  set(contact "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_PACKAGE_CONTACT ${contact} CACHE STRING "Maintainer of the package")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
# The packages of a release are without MPI; a second build, with it, has the package awend-mpi (`cpack -D CPACK_COMPONENTS_ALL=mpi`).
set(CPACK_COMPONENTS_ALL tools library CACHE STRING "Components of the packages")
awend_install_program(train mpi EXCLUDE_FROM_ALL)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME awend)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
# For the recipes get-model.sh and augment.pl.
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "curl, perl")
# Socat and jq are for libretranslate.sh.  No program links the Vulkan loader, so shlibdeps does not find it; only GPUs need it.
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "awend-mpi, jq, socat, libmecab2, mecab-ipadic-utf8, libvulkan1, mesa-vulkan-drivers | vulkan-icd")
# Packages of Debian 12 and 13 with a program of the same name as one of awend.
if(AWEND_PROGRAM_PREFIX STREQUAL "")
  set(CPACK_DEBIAN_TOOLS_PACKAGE_CONFLICTS "argyll, libboost1.74-tools-dev, libboost1.81-tools-dev, libboost1.83-tools-dev, libboost1.88-tools-dev, tracetuner, translate")
endif()
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "train and run the Transformer through Vulkan
A set of filters over lines of text that trains the translation model of
the paper 'Attention Is All You Need' and translates with it, on any GPU that
has a Vulkan driver, or on the processor with its vector instructions.")
# The package diverts the `train` of the package awend, and gives it back when it is removed.
set(CPACK_DEBIAN_MPI_PACKAGE_NAME awend-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "awend (= ${PROJECT_VERSION}), openmpi-bin")
foreach(file preinst postrm lintian-overrides)
  configure_file(tools/packaging/mpi/${file} ${CMAKE_BINARY_DIR}/mpi/${file} @ONLY)
endforeach()
set(CPACK_DEBIAN_MPI_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/mpi/preinst ${CMAKE_BINARY_DIR}/mpi/postrm)
set(CPACK_DEBIAN_MPI_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_MPI_DESCRIPTION "train a Transformer in several processes
The program train of the package awend, with MPI: one process per GPU or per
machine.  It replaces the program without MPI while this package is installed.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libawend-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "library to train and run the Transformer through Vulkan
Static libraries, headers, and files for pkg-config and CMake, for programs
that tokenize, train, translate or score as the tools of awend do.")
set(depends libicu-dev libsentencepiece-dev zlib1g-dev libzstd-dev libxxhash-dev libzip-dev libhwy-dev)
if(AWEND_HAS_MPI)
  list(APPEND depends libboost-mpi-dev libopenmpi-dev)
endif()
list(JOIN depends ", " CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS)
# Debian expects the license, and those of code that the programs contain, in a file with this name.
file(READ ${CMAKE_SOURCE_DIR}/LICENSE license)
file(READ ${CMAKE_SOURCE_DIR}/tools/packaging/NOTICES notices)
file(WRITE ${CMAKE_BINARY_DIR}/copyright "${license}\n${notices}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/tools/packaging/NOTICES)
install(FILES ${CMAKE_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/awend COMPONENT tools)
install(FILES ${CMAKE_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libawend-dev COMPONENT library)
install(FILES ${CMAKE_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/awend-mpi COMPONENT mpi EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_BINARY_DIR}/mpi/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME awend-mpi COMPONENT mpi
        EXCLUDE_FROM_ALL)
# The changelog, in Debian's form, compressed without a timestamp.
file(READ ${CMAKE_SOURCE_DIR}/tools/packaging/CHANGELOG.md changes)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/packaging/CHANGELOG.md)
string(REGEX MATCH "\n## ${PROJECT_VERSION} [(]([^)]+)[)]\n\n(([^\n]+\n)+)" found "${changes}")
if(NOT found)
  message(FATAL_ERROR "tools/packaging/CHANGELOG.md has no section of version ${PROJECT_VERSION}")
endif()
set(AWEND_RELEASE_DATE "${CMAKE_MATCH_1}")
string(REGEX REPLACE "(^|\n)([-] )" "\\1  * " AWEND_CHANGES "${CMAKE_MATCH_2}")
string(REGEX REPLACE "\n(  [^* ])" "\n  \\1" AWEND_CHANGES "${AWEND_CHANGES}")
configure_file(tools/packaging/changelog.in ${CMAKE_BINARY_DIR}/changelog @ONLY)
execute_process(COMMAND gzip -9nf ${CMAKE_BINARY_DIR}/changelog COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${CMAKE_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/awend-mpi COMPONENT mpi EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/awend COMPONENT tools)
install(FILES ${CMAKE_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libawend-dev COMPONENT library)
include(CPack)
