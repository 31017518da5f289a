# SPDX-License-Identifier: Apache-2.0
# The documents, in share/doc/rivulet as in the source folder, so that their links work. Messages cite
# them by name_of_document (base/data_directory.h), in the build tree through links.
set(folder share/doc/rivulet)
file(GLOB_RECURSE documents RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS LIST_DIRECTORIES FALSE
     base/*.md benchmarks/*.md boards/*.md cmake/*.md compiler/*.md debian/*.md device-firmware/*.md
     docs/*.md docs/ci/* examples/*.md hal/*.md host-runtime/*.md qemu-machines/*.md tests/*.md
     tools/*.md)
file(GLOB top RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS *.md)
foreach(document IN LISTS documents top ITEMS benchmarks/wide/results.svg docs/demo.jpg)
    cmake_path(GET document PARENT_PATH place)
    install(FILES ${document} DESTINATION ${folder}/${place})
endforeach()
foreach(document boards docs)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${document} ${CMAKE_BINARY_DIR}/${folder}/${document}
         SYMBOLIC)
endforeach()
