# SPDX-License-Identifier: Apache-2.0
# cmake -DFILES=… -DVERSION=… -DOUTPUT=… -P build_id.cmake: writes 20 bytes that identify this
# firmware, and the line in file VERSION, which says what its sources are.
set(all "")
foreach(file ${FILES})
    file(SHA1 ${file} hash)
    string(APPEND all ${hash})
endforeach()
string(SHA1 id "${all}")
string(REGEX REPLACE "(..)" "0x\\1," bytes ${id})
file(STRINGS ${VERSION} version LIMIT_COUNT 1)
file(WRITE ${OUTPUT} "#define RIVULET_BUILD_ID ${bytes}\n"
                     "#define RIVULET_BUILD_VERSION \"${version}\"\n")
