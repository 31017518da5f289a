# SPDX-License-Identifier: Apache-2.0
# cmake -DFILE=… -DOUTPUT=… -P bytes_of.cmake: the bytes of a file as a C initialiser.
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "${bytes}\n")
