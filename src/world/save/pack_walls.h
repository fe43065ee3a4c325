/*  Conversion of servos and free walls to and from the form in snapshots. */
#ifndef SCREE_WORLD_PACK_WALLS_H
#define SCREE_WORLD_PACK_WALLS_H

#include "world/state/walls.h"

struct scree_packed_path_part;
struct scree_packed_servo;
struct scree_packed_free_wall;

/*  A path part of the wall in row `wall`. The table is owned by the caller. */
void scree_path_part_pack(const scree_path_part *part, size_t wall,
                          struct scree_packed_path_part *packed);
void scree_path_part_unpack(const struct scree_packed_path_part *packed, const double (*table)[8],
                            scree_path_part *part);

/*  A servo; zeros for walls that no servo has moved. */
void scree_servo_pack(const scree_wall_record *wall, struct scree_packed_servo *packed);
void scree_servo_unpack(const struct scree_packed_servo *packed, scree_wall_record *wall);
/*  Whether the values are valid. */
bool scree_servo_is_sound(const struct scree_packed_servo *packed);
/*  A free wall; zeros for walls that are not free. */
void scree_free_wall_pack(const scree_wall_record *wall, struct scree_packed_free_wall *packed);
void scree_free_wall_unpack(const struct scree_packed_free_wall *packed, scree_wall_record *wall);
/*  Whether the values are valid in this number of dimensions. */
bool scree_free_wall_is_sound(const struct scree_packed_free_wall *packed, int dimensions);

#endif
