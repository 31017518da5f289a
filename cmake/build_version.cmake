# SPDX-License-Identifier: Apache-2.0
# cmake -DVERSION=… -DSOURCE=… -DTEXT=… -DHEADER=… -P build_version.cmake: writes the version of this
# build as text and as a header, if it has changed: 0.1.0+g356279f98a1b, and ".dirty" when files differ
# from that commit. An archive of the sources has its commit in revision.txt.
find_program(git git)
set(commit "")
if(git AND EXISTS ${SOURCE}/.git)
    set(ENV{GIT_OPTIONAL_LOCKS} 0) # only reads, beside whatever else uses the working copy
    execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE why RESULT_VARIABLE failed)
    if(failed)
        message(WARNING "git tells no commit of ${SOURCE}, so the build has a version only: ${why}")
    endif()
    execute_process(COMMAND ${git} -C ${SOURCE} status --porcelain --untracked-files=no
                    OUTPUT_VARIABLE changes ERROR_QUIET)
else()
    file(STRINGS ${SOURCE}/cmake/revision.txt commit LIMIT_COUNT 1)
    if(commit MATCHES "^[0-9a-f]+$")
        string(SUBSTRING ${commit} 0 12 commit)
    else()
        set(commit "")
    endif()
endif()
set(version "${VERSION}")
if(commit)
    string(APPEND version "+g${commit}")
    if(NOT "${changes}" STREQUAL "")
        string(APPEND version ".dirty")
    endif()
endif()
file(CONFIGURE OUTPUT ${TEXT} CONTENT "${version}\n")
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define RIVULET_BUILD_VERSION \"${version}\"\n")
