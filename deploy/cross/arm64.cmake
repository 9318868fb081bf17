# SPDX-License-Identifier: Apache-2.0
# Toolchain file: arm64 on Debian.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(nettoll_arch arm64)
set(nettoll_triplet aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
