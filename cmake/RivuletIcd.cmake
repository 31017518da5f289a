# SPDX-License-Identifier: Apache-2.0
# What the ICD loader reads (OCL_ICD_VENDORS points to the folder): a file with the path of the
# library, one in the build tree and one where it is installed.

if(TARGET rivulet)
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/etc/OpenCL/vendors/rivulet.icd
         CONTENT "$<TARGET_FILE:rivulet>\n")
    install(CODE "
        set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
        file(WRITE \"\${prefix}/etc/OpenCL/vendors/rivulet.icd\"
             \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:rivulet>\n\")")
endif()
