# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, and the Debian package that `cpack` makes of it.
include(GNUInstallDirs)
set(nettoll_doc ${CMAKE_INSTALL_DATADIR}/doc/nettoll)

# Of section 8, as its manual page says: next to all that it does asks for rights of the administrator.
install(TARGETS nettoll RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR})
install(FILES deploy/man/nettoll.8 DESTINATION ${CMAKE_INSTALL_MANDIR}/man8)
install(FILES deploy/man/nettoll.toml.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES deploy/completion/nettoll.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME nettoll)
install(FILES deploy/nettoll.toml DESTINATION ${CMAKE_INSTALL_SYSCONFDIR}/nettoll)
install(FILES deploy/systemd/nettoll.service DESTINATION lib/systemd/system)
install(FILES deploy/systemd/nettoll.sysusers DESTINATION lib/sysusers.d RENAME nettoll.conf)
install(DIRECTORY deploy/grafana/dashboards deploy/grafana/provisioning DESTINATION ${CMAKE_INSTALL_DATADIR}/nettoll/grafana)
install(FILES deploy/prometheus/prometheus.yml deploy/prometheus/compose.yaml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/nettoll/prometheus)
install(DIRECTORY deploy/prometheus/rules DESTINATION ${CMAKE_INSTALL_DATADIR}/nettoll/prometheus)
install(DIRECTORY deploy/docs/ DESTINATION ${nettoll_doc} FILES_MATCHING PATTERN "*.md")
install(FILES deploy/debian/copyright deploy/debian/changelog DESTINATION ${nettoll_doc})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nettoll)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "nettoll maintainers <maintainers@nettoll.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian/stage.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "costs of kernel networking, by function and packet, for Prometheus")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "BPF programs count calls, packets, softirq time and drops exactly, perf_event
samples cycles, instructions, cache and branch misses with kernel stacks, and
a correlator joins the two into cost per call, per packet and per path. The
result is a report on the terminal, JSON, or metrics for Prometheus. The
service nettoll serves these on port 10435 of this host alone.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Beside the libraries, what makes the service's user.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "systemd | systemd-standalone-sysusers | systemd-sysusers")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion, prometheus")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    ${CMAKE_CURRENT_LIST_DIR}/debian/conffiles ${CMAKE_CURRENT_LIST_DIR}/debian/postinst
    ${CMAKE_CURRENT_LIST_DIR}/debian/prerm ${CMAKE_CURRENT_LIST_DIR}/debian/postrm)
include(CPack)
