# SPDX-License-Identifier: Apache-2.0
# Toolchain file: riscv64 on Debian.
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(nettoll_arch riscv64)
set(nettoll_triplet riscv64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
