# SPDX-License-Identifier: Apache-2.0
# The file that the ICD loader reads (OCL_ICD_VENDORS points to its folder) names the library. In
# the build tree and under a prefix of its own, where no loader looks for libraries, that is its path;
# under /usr it is the SONAME, which stays true when files move. For a prefix that moves there is
# `activate`.

if(TARGET rivulet)
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/etc/OpenCL/vendors/rivulet.icd
         CONTENT "$<TARGET_FILE:rivulet>\n")
    install(CODE "
        set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
        set(library \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/$<TARGET_SONAME_FILE_NAME:rivulet>\")
        if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
            set(prefix \"\$ENV{DESTDIR}\")
            set(library \"$<TARGET_SONAME_FILE_NAME:rivulet>\")
        elseif(\"${CMAKE_INSTALL_LIBDIR}\" STREQUAL \"lib\")
            file(COPY \"${CMAKE_CURRENT_LIST_DIR}/package/activate\" DESTINATION \"\${prefix}\")
        endif()
        file(WRITE \"\${prefix}/etc/OpenCL/vendors/rivulet.icd\" \"\${library}\n\")")
endif()
