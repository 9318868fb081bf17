# SPDX-License-Identifier: Apache-2.0
# What the toolchain files share: Debian's cross compiler for ${nettoll_triplet}, and libraries of ${nettoll_arch} from the
# sysroot that deploy/cross/sysroot makes (downloaded when it is first asked for).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${nettoll_triplet}-gcc)
set(CMAKE_CXX_COMPILER ${nettoll_triplet}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${nettoll_triplet})

# CMake reads a toolchain file again for each of its probes: hand the folder on.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES NETTOLL_SYSROOT)
if(NOT NETTOLL_SYSROOT)
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/sysroot ${nettoll_arch} OUTPUT_VARIABLE NETTOLL_SYSROOT
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
set(CMAKE_SYSROOT ${NETTOLL_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/${nettoll_triplet}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)

# Before the compiler's own folders, whose libstdc++ may be too old for the sysroot's other libraries. -rpath-link: where to
# look for the libraries of libraries.
set(nettoll_libraries ${CMAKE_SYSROOT}/usr/lib/${nettoll_triplet})
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L${nettoll_libraries} -Wl,-rpath-link,${nettoll_libraries}")
