/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.14.5: image queries. */
#include "image.h"

#define QUERY_ANY(image, access, ...)                                                              \
    OVERLOAD int get_image_width(access image i) { return (int)__rivulet_image(i)->width; }        \
    OVERLOAD int get_image_channel_data_type(access image i) {                                     \
        return (int)__rivulet_image(i)->channel_data_type;                                         \
    }                                                                                              \
    OVERLOAD int get_image_channel_order(access image i) {                                         \
        return (int)__rivulet_image(i)->channel_order;                                             \
    }                                                                                              \
    OVERLOAD int get_image_num_mip_levels(access image i) {                                        \
        return (int)__rivulet_image(i)->mip_levels;                                                \
    }
#define QUERY_2D(image, access)                                                                    \
    OVERLOAD int get_image_height(access image i) { return (int)__rivulet_image(i)->height; }      \
    OVERLOAD int2 get_image_dim(access image i) {                                                  \
        return (int2)(get_image_width(i), get_image_height(i));                                    \
    }
#define QUERY_3D(image, access)                                                                    \
    OVERLOAD int get_image_height(access image i) { return (int)__rivulet_image(i)->height; }      \
    OVERLOAD int get_image_depth(access image i) { return (int)__rivulet_image(i)->depth; }        \
    OVERLOAD int4 get_image_dim(access image i) {                                                  \
        return (int4)(get_image_width(i), get_image_height(i), get_image_depth(i), 0);             \
    }
#define QUERY_ARRAY(image, access)                                                                 \
    OVERLOAD size_t get_image_array_size(access image i) {                                         \
        return __rivulet_image(i)->array_size;                                                     \
    }
#define QUERIES(access)                                                                            \
    EACH_IMAGE(QUERY_ANY, access)                                                                  \
    QUERY_2D(image2d_t, access)                                                                    \
    QUERY_2D(image2d_array_t, access)                                                              \
    QUERY_2D(image2d_depth_t, access)                                                              \
    QUERY_2D(image2d_array_depth_t, access)                                                        \
    QUERY_3D(image3d_t, access)                                                                    \
    QUERY_ARRAY(image1d_array_t, access)                                                           \
    QUERY_ARRAY(image2d_array_t, access)                                                           \
    QUERY_ARRAY(image2d_array_depth_t, access)
QUERIES(read_only)
QUERIES(write_only)
QUERIES(read_write)
