# SPDX-License-Identifier: GPL-3.0-or-later
# The installed files and the Debian package. With GPULEDGER_GUI=OFF the package has only the command line.
include(GNUInstallDirs)
set(desktop "${CMAKE_SOURCE_DIR}/resources/desktop")

function(gpuledger_install_manual name)
  find_program(GPULEDGER_GZIP gzip REQUIRED)
  add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/${name}.1.gz"
    COMMAND "${GPULEDGER_GZIP}" -9nc "${desktop}/${name}.1" > "${CMAKE_BINARY_DIR}/${name}.1.gz"
    DEPENDS "${desktop}/${name}.1" VERBATIM)
  add_custom_target(${name}-manual ALL DEPENDS "${CMAKE_BINARY_DIR}/${name}.1.gz")
  install(FILES "${CMAKE_BINARY_DIR}/${name}.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endfunction()

if(TARGET gpuledger-cli)
  install(TARGETS gpuledger-cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  gpuledger_install_manual(gpuledger-cli)
  install(FILES "${desktop}/gpuledger-watch.service" DESTINATION lib/systemd/user)
endif()
if(TARGET gpuledger)
  install(TARGETS gpuledger RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  gpuledger_install_manual(gpuledger)
  install(FILES "${desktop}/org.gpuledger.GpuLedger.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES "${desktop}/org.gpuledger.GpuLedger.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES "${desktop}/org.gpuledger.GpuLedger.mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages"
    RENAME org.gpuledger.GpuLedger.xml)
  install(FILES "${desktop}/org.gpuledger.GpuLedger.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
endif()

gpuledger_install_handbook()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gpuledger)
set(CPACK_PACKAGE_VENDOR "GPU Ledger")
set(CPACK_PACKAGE_CONTACT "GPU Ledger <gpuledger@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "dashboard of GPU hours and GPU money")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-inter, gnome-keyring, qt6-translations-l10n")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "GPU Ledger reads the telemetry of a GPU fleet from a Prometheus server, keeps
it on this machine and shows who held which GPU, how well it was used, what
stood idle and what that cost.")
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/copyright" CONTENT
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: gpuledger

Files: *
Copyright: 2026 The GPU Ledger authors
License: GPL-3.0-or-later
 On Debian systems, the full text of the GNU General Public License
 version 3 can be found in /usr/share/common-licenses/GPL-3.
")
install(FILES "${CMAKE_BINARY_DIR}/copyright" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/changelog" CONTENT
"@PROJECT_NAME@ (@PROJECT_VERSION@) unstable; urgency=medium

  * See CHANGELOG.md of the sources.

 -- GPU Ledger <gpuledger@example.org>  Sat, 21 Nov 2026 12:00:00 +0000
" @ONLY)
install(CODE "execute_process(COMMAND gzip -9nc \"${CMAKE_BINARY_DIR}/changelog\" OUTPUT_FILE \"${CMAKE_BINARY_DIR}/changelog.gz\")")
install(FILES "${CMAKE_BINARY_DIR}/changelog.gz" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
include(CPack)
