/*  Frames of a film: what a picture needs of a moment, in about 20 bytes a body. All numbers are little-endian.

        "scree-film 1\0\0\0\0"          16 bytes
        u64 steps, bodies; f64 time; u32 walls, dimensions
        f64 lower[3], upper[3]          of the centres
        f64 radius, speed               the largest radius, the largest component of a velocity in magnitude
        a wall:  u32 index, generation, kind, 0; f64 position[3], orientation[4], normal[3]
        a body:  its global id less that of the one before, seven bits a byte, the lowest first, the
                 highest bit set where more follow; then u16 position[3] from lower (0) to upper (65535), radius over
                 the largest / 65535, i16 velocity[3] over the speed / 32767, i8 orientation[4] / 127, u8 material

    Bodies are in the order of their global ids. Meshes and shapes are those of a checkpoint of the same run. */
#ifndef SCREE_FILM_FORMAT_H
#define SCREE_FILM_FORMAT_H

#define SCREE_FILM_MAGIC "scree-film 1\0\0\0" /* and its own 0 */
#define SCREE_FILM_MAGIC_BYTES 16
#define SCREE_FILM_HEAD_BYTES (SCREE_FILM_MAGIC_BYTES + 32 + 8 * 8)
#define SCREE_FILM_WALL_BYTES (16 + 10 * 8)
#define SCREE_FILM_BODY_BYTES 19 /* after its global id */
#define SCREE_FILM_SUFFIX ".film"

#endif
