# SPDX-License-Identifier: Apache-2.0
# What is installed beyond the targets, and the Debian package.
# The prefix may be changed at install time, and the file names the library by absolute path.
install(CODE "
  set(sysconf \"${CMAKE_INSTALL_SYSCONFDIR}\")
  if(NOT IS_ABSOLUTE \"\${sysconf}\")
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
      set(sysconf \"/\${sysconf}\")
    else()
      set(sysconf \"\${CMAKE_INSTALL_PREFIX}/\${sysconf}\")
    endif()
  endif()
  set(icd \"\${sysconf}/OpenCL/vendors/sluice.icd\")
  file(WRITE \"\$ENV{DESTDIR}\${icd}\" \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libsluice.so\\n\")
  message(STATUS \"Installing: \$ENV{DESTDIR}\${icd}\")
")
install(DIRECTORY include/sluice DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(EXISTS ${PROJECT_SOURCE_DIR}/include/CL/cl_ext_sluice.h)
  install(FILES include/CL/cl_ext_sluice.h include/CL/cl_ext_sluice_command_buffer.h
    include/CL/cl_ext_sluice_native_command.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/CL)
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/docs/sluicec.1)
  install(FILES docs/sluicec.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES docs/sluice-report.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT report)
endif()
configure_file(scripts/cmake/sluice.pc.in sluice.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sluice.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(doc ${CMAKE_INSTALL_DATAROOTDIR}/doc/sluice-opencl-icd)
install(FILES README.md CHANGELOG.md DESTINATION ${doc})
install(FILES LICENSE RENAME copyright DESTINATION ${doc})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sluice-opencl-icd)
set(CPACK_PACKAGE_CONTACT "The Sluice authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "OpenCL driver for CPUs and an emulated FPGA")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Files under /etc belong to the administrator: dpkg keeps his changes, and purging removes them.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/scripts/cmake/conffiles)
# sluice-report needs Graphviz and with it a desktop's libraries: a package of its own.
set(CPACK_DEB_COMPONENT_INSTALL ON)
# aoc and aocl would stand in the way of Intel's own: another one.
set(CPACK_COMPONENTS_ALL Unspecified report aoc)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME sluice-opencl-icd)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS
  "ocl-icd-libopencl1 | libopencl1")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_PROVIDES "opencl-icd")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS sluice-report)
set(CPACK_DEBIAN_REPORT_PACKAGE_NAME sluice-report)
set(CPACK_COMPONENT_REPORT_DESCRIPTION "pages that show dataflow designs and profiled runs")
set(CPACK_DEBIAN_AOC_PACKAGE_NAME sluice-aoc)
set(CPACK_DEBIAN_AOC_PACKAGE_DEPENDS sluice-opencl-icd)
set(CPACK_COMPONENT_AOC_DESCRIPTION "aoc and aocl for the makefiles of FPGA designs")
set(CPACK_STRIP_FILES ON)
include(CPack)
