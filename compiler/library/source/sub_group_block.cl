/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_subgroups and its variants for other sizes: blocks of memory, one element per
 * work-item and component. Pointers and coordinates are uniform in the sub-group. */
#include "image.h"
#include "sub_group.h"

#define SAME(pointer) ((size_t)sub_group_broadcast_first((size_t)(pointer)))

/* ---- buffers and local memory: p[lane], p[lane + size], … ---- */

#define BUFFER_BLOCK(space, n, T, suffix)                                                          \
    OVERLOAD T##n intel_sub_group_block_read##suffix##n(const space T *p) {                        \
        const space T *from = (const space T *)SAME(p);                                            \
        uint lane = get_sub_group_local_id(), size = get_max_sub_group_size();                     \
        T##n result;                                                                               \
        EACH_PART(n) PART(n, result) = (from + i * size)[lane];                                    \
        return result;                                                                             \
    }                                                                                              \
    OVERLOAD void intel_sub_group_block_write##suffix##n(space T *p, T##n data) {                  \
        space T *to = (space T *)SAME(p);                                                          \
        uint lane = get_sub_group_local_id(), size = get_max_sub_group_size();                     \
        EACH_PART(n)(to + i * size)[lane] = PART(n, data);                                         \
    }

/* ---- images: rows of bytes, without format conversion ---- */

typedef struct {
    global uchar *data;
    global uchar *start; /* of the block, if it is plain */
    uint pitch, bytes_per_row, rows;
    int x, y;
    bool plain; /* inside of the image, and elements are aligned */
} block;

INLINE block block_at(descriptor d, int2 coordinate, uint element, uint rows) {
    block b;
    b.x = sub_group_broadcast_first(coordinate.x);
    b.y = sub_group_broadcast_first(coordinate.y);
    b.pitch = (uint)d->row_pitch;
    b.bytes_per_row = d->width * d->element_bytes;
    b.rows = d->height;
    b.data = (global uchar *)(size_t)d->data;
    b.start = b.data + ((uint)b.y * b.pitch + (uint)b.x);
    uint right = (uint)b.x + get_max_sub_group_size() * element;
    b.plain = b.x >= 0 && b.y >= 0 && right <= b.bytes_per_row && (uint)b.y + rows <= b.rows &&
              (((uint)(size_t)b.start | b.pitch) & (element - 1)) == 0;
    return b;
}

/* Beyond the edge, reads return the edge's element, and writes have no effect. */
#define EDGE_READ(T)                                                                               \
    INLINE OVERLOAD T edge_read(block b, uint i, T dummy) {                                        \
        int x = b.x + (int)(get_sub_group_local_id() * sizeof(T));                                 \
        x = maximum(minimum(x, (int)(b.bytes_per_row - sizeof(T))), 0);                            \
        int y = clamped_index(b.y + (int)i, (int)b.rows);                                          \
        const global uchar *row = b.data + (uint)y * b.pitch;                                      \
        T value = 0;                                                                               \
        _Pragma("unroll") for (uint k = 0; k < sizeof(T); ++k) value |=                            \
            (T)((T)row[x + (int)k] << (k * 8));                                                    \
        return value;                                                                              \
    }                                                                                              \
    INLINE OVERLOAD void edge_write(block b, uint i, T value) {                                    \
        int x = b.x + (int)(get_sub_group_local_id() * sizeof(T)), y = b.y + (int)i;               \
        if (x < 0 || y < 0 || (uint)x + sizeof(T) > b.bytes_per_row || (uint)y >= b.rows)          \
            return;                                                                                \
        global uchar *row = b.data + (uint)y * b.pitch;                                            \
        _Pragma("unroll") for (uint k = 0; k < sizeof(T); ++k) row[(uint)x + k] =                  \
            (uchar)(value >> (k * 8));                                                             \
    }
EDGE_READ(uchar)
EDGE_READ(ushort)
EDGE_READ(uint)
EDGE_READ(ulong)

#define IMAGE_READ(n, T, suffix, access)                                                           \
    OVERLOAD T##n intel_sub_group_block_read##suffix##n(access image2d_t image, int2 coordinate) { \
        block b = block_at(__rivulet_image(image), coordinate, sizeof(T), COUNT(n));               \
        T##n result;                                                                               \
        if (b.plain) {                                                                             \
            EACH_PART(n)                                                                           \
            PART(n, result) = ((global T *)(b.start + i * b.pitch))[get_sub_group_local_id()];     \
        } else {                                                                                   \
            EACH_PART(n) PART(n, result) = edge_read(b, i, (T)0);                                  \
        }                                                                                          \
        return result;                                                                             \
    }
#define IMAGE_WRITE(n, T, suffix, access)                                                          \
    OVERLOAD void intel_sub_group_block_write##suffix##n(access image2d_t image, int2 coordinate,  \
                                                         T##n data) {                              \
        block b = block_at(__rivulet_image(image), coordinate, sizeof(T), COUNT(n));               \
        if (b.plain) {                                                                             \
            EACH_PART(n)                                                                           \
            ((global T *)(b.start + i * b.pitch))[get_sub_group_local_id()] = PART(n, data);       \
        } else {                                                                                   \
            EACH_PART(n) edge_write(b, i, PART(n, data));                                          \
        }                                                                                          \
    }

#define BLOCK(n, T, suffix)                                                                        \
    BUFFER_BLOCK(global, n, T, suffix)                                                             \
    BUFFER_BLOCK(local, n, T, suffix)                                                              \
    IMAGE_READ(n, T, suffix, read_only)                                                            \
    IMAGE_READ(n, T, suffix, read_write)                                                           \
    IMAGE_WRITE(n, T, suffix, write_only)                                                          \
    IMAGE_WRITE(n, T, suffix, read_write)
#define BLOCKS(T, suffix)                                                                          \
    BLOCK(, T, suffix) BLOCK(2, T, suffix) BLOCK(4, T, suffix) BLOCK(8, T, suffix)
BLOCKS(uint, )
BLOCKS(uint, _ui)
BLOCKS(ulong, _ul)
BLOCKS(ushort, _us)
BLOCKS(uchar, _uc)
BLOCK(16, ushort, _us)
BLOCK(16, uchar, _uc)
