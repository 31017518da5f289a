# SPDX-License-Identifier: Apache-2.0
# third-party-notices.txt: what others wrote of that which is installed, with its licences.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(RIVULET_LICENCE_TEXTS /usr/share/doc CACHE PATH "Licence texts of packages, as PACKAGE/copyright")
set(third_party ${CMAKE_SOURCE_DIR}/cmake/package/third_party)
set(RIVULET_NOTICES ${CMAKE_BINARY_DIR}/third-party-notices.txt)
add_custom_command(OUTPUT ${RIVULET_NOTICES}
    COMMAND Python3::Interpreter -B ${third_party}.py ${RIVULET_NOTICES} ${RIVULET_LICENCE_TEXTS}
    DEPENDS ${third_party}.py ${third_party}.csv COMMENT "Notices of third parties" VERBATIM)
add_custom_target(rivulet_third_party ALL DEPENDS ${RIVULET_NOTICES})
rivulet_product(rivulet_third_party)
install(FILES ${RIVULET_NOTICES} DESTINATION share/doc/rivulet)
