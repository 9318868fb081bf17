# SPDX-License-Identifier: Apache-2.0
# Run by cpack on what was installed below /usr, before it is packed: what Debian's policy has elsewhere or compressed.
set(root ${CPACK_TEMPORARY_DIRECTORY})
file(RENAME ${root}/usr/etc ${root}/etc)
foreach(name man/man8/nettoll.8 man/man5/nettoll.toml.5 doc/nettoll/changelog)
  # Without name and time, so that the same tree gives the same package.
  execute_process(COMMAND gzip -9n ${root}/usr/share/${name} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
