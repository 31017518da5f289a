/* SPDX-License-Identifier: Apache-2.0
 *
 * The protocol between the host runtime and `rivulet-cc --serve`.
 *
 * The server holds one end of a SOCK_SEQPACKET socketpair as its standard input. A client opens a
 * job by sending one byte with a stream socket attached (SCM_RIGHTS); the server passes it to a
 * child, which does one job at a time. As many children run as there are processors, at least
 * RVL_COMPILE_LEAST_JOBS; further jobs wait in order. On that socket the client writes one request
 * frame, the child one or more answer frames: LOG frames while it works, RESULT last. If the child
 * dies, the server itself writes the RESULT, with status RVL_COMPILE_CRASHED and a log that
 * explains it. Closing the socket cancels the job. The server exits at the end of its standard
 * input. LIMITS also limit the reading of later fields, so they come early.
 *
 * The compiler opens none of a program's files: for each #include it asks the client with an OPEN
 * frame on the job's socket. The client answers with an OPENED frame, with the descriptor attached
 * to its first byte (SCM_RIGHTS), or with an errno. So a build can read exactly what the calling
 * thread can read at that moment, from its working directory and root. A client that sends no
 * FOLDER isn't asked, and its programs find only the headers that it sent.
 *
 *   frame +--------+---------+------+----------+
 *         | magic  | version | kind | bytes    |  bytes: of all fields together
 *         +--------+---------+------+----------+
 *   field | tag    | extra   | bytes (64 bit)  |  then the bytes, padded with 0 to 8
 *         +--------+---------+-----------------+
 */
#ifndef RIVULET_PROTOCOL_COMPILE_H
#define RIVULET_PROTOCOL_COMPILE_H

#include <unistd.h>

#include "hal/protocol/version.h"

#define RVL_LLVM_SPIRV_VARIABLE "RIVULET_LLVM_SPIRV" /* of the environment: another translator */

/* The program that translates SPIR-V for the compiler: `chosen`, or the newest installed version
 * whose bitcode LLVM 22 reads. If no version is installed, the last name, which distributions
 * without versioned names use; without any of these programs SPIR-V is not supported. */
static inline const char *rvl_find_llvm_spirv(const char *chosen) {
    static const char *const programs[] = {
        "/usr/bin/llvm-spirv-22", "/usr/bin/llvm-spirv-21", "/usr/bin/llvm-spirv-20",
        "/usr/bin/llvm-spirv-19", "/usr/bin/llvm-spirv-18", "/usr/bin/llvm-spirv-17",
        "/usr/bin/llvm-spirv-16", "/usr/bin/llvm-spirv-15", "/usr/bin/llvm-spirv",
    };
    const unsigned last = sizeof programs / sizeof programs[0] - 1;
    unsigned at = 0;
    if (chosen && *chosen)
        return chosen;
    while (at < last && access(programs[at], X_OK) != 0)
        ++at;
    return programs[at];
}

#define RVL_COMPILE_LEAST_JOBS 4u

#define RVL_COMPILE_MAGIC 0x43435652u /* "RVCC" */

typedef struct rvl_frame {
    uint32_t magic;
    uint32_t version; /* RVL_COMPILE_VERSION */
    uint32_t kind;    /* rvl_frame_kind      */
    uint32_t reserved;
    uint64_t bytes;
} rvl_frame;
RVL_STATIC_ASSERT(sizeof(rvl_frame) == 24, "layout of a frame");

typedef struct rvl_field {
    uint32_t tag; /* rvl_field_tag */
    uint32_t extra;
    uint64_t bytes;
} rvl_field;
RVL_STATIC_ASSERT(sizeof(rvl_field) == 16, "layout of a field");

typedef enum rvl_frame_kind {
    RVL_FRAME_BUILD = 1,     /* source → kernel image                                      */
    RVL_FRAME_COMPILE = 2,   /* source → object (LLVM bitcode)                             */
    RVL_FRAME_LINK = 3,      /* objects → kernel image, or library with -create-library    */
    RVL_FRAME_SYMBOLIZE = 4, /* kernel image and address → "function at file:line"         */
    RVL_FRAME_PING = 5,      /* answers at once, with the compiler's name and version      */
    RVL_FRAME_LOG = 16,
    RVL_FRAME_RESULT = 17,
    RVL_FRAME_OPEN = 18,   /* server to client: PATH                                       */
    RVL_FRAME_OPENED = 19, /* its answer: an rvl_opened, and a descriptor if error is 0    */
} rvl_frame_kind;

typedef enum rvl_field_tag {
    RVL_FIELD_SOURCE = 1,  /* OpenCL C                                                     */
    RVL_FIELD_OPTIONS = 2, /* as given to clBuildProgram                                   */
    RVL_FIELD_HEADER = 3,  /* "name\0text", any number of them                             */
    RVL_FIELD_OBJECT = 4,  /* any number of them, in order                                 */
    RVL_FIELD_ISA = 5,     /* rvl_hello.isa, or "host"; extra: exact VLEN, 0 any           */
    RVL_FIELD_IMAGE = 6,   /* result of BUILD and LINK; request of SYMBOLIZE               */
    RVL_FIELD_ADDRESS = 7, /* 8 bytes                                                      */
    RVL_FIELD_TEXT = 8,    /* log, or what SYMBOLIZE and PING answer                       */
    RVL_FIELD_STATUS = 9,  /* extra: rvl_compile_status                                    */
    RVL_FIELD_LIMITS = 10, /* extra: seconds of processor time; 8 bytes: bytes of memory   */
    RVL_FIELD_SPIRV = 11,  /* SPIR-V module                                                */
    RVL_FIELD_FOLDER = 12, /* the caller's working directory; "": it has been deleted */
    RVL_FIELD_PATH = 13,   /* of OPEN; extra: 1 to read the file, 0 only to check it (O_PATH) */
    RVL_FIELD_CORE = 14,   /* since 1.1: rvl_hello.core, which code is tuned for; none, "": any  */
    RVL_FIELD_INSTRUCTIONS = 15, /* "name\0text" of the board's instructions.h; since 1.2       */
} rvl_field_tag;

/*   0        24       28
 *   +--------+--------+----------+
 *   | frame  | error  | reserved |   error: 0 or an errno
 *   +--------+--------+----------+
 */
typedef struct rvl_opened {
    rvl_frame frame;
    uint32_t error;
    uint32_t reserved;
} rvl_opened;
RVL_STATIC_ASSERT(sizeof(rvl_opened) == 32, "layout of an answer to OPEN");

typedef enum rvl_compile_status {
    RVL_COMPILE_OK = 0,
    RVL_COMPILE_FAILED = 1,      /* errors in the source; the log has them     */
    RVL_COMPILE_BAD_OPTIONS = 2, /* invalid options; see the error codes of the call */
    RVL_COMPILE_CRASHED = 3,     /* the compiler itself failed                 */
    RVL_COMPILE_BAD_REQUEST = 4, /* malformed frame, or another version */
    RVL_COMPILE_BAD_TARGET = 5,  /* an ISA that can't be compiled for */
} rvl_compile_status;

#endif
