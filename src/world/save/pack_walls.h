/*  Servos and free walls as they are in snapshots, and back. */
#ifndef SCREE_WORLD_PACK_WALLS_H
#define SCREE_WORLD_PACK_WALLS_H

#include "world/state/walls.h"

struct scree_packed_path_part;
struct scree_packed_servo;
struct scree_packed_loose;

/*  As it is in snapshots, of the wall in a row, and back; its table is the caller's. */
void scree_path_part_pack(const scree_path_part *part, size_t wall,
                          struct scree_packed_path_part *packed);
void scree_path_part_unpack(const struct scree_packed_path_part *packed, const double (*table)[8],
                            scree_path_part *part);

/*  As it is in snapshots, and back; what there is of walls that no servo drives is 0. */
void scree_servo_pack(const scree_wall_record *wall, struct scree_packed_servo *packed);
void scree_servo_unpack(const struct scree_packed_servo *packed, scree_wall_record *wall);
/*  Whether such numbers can come from a world. */
bool scree_servo_is_sound(const struct scree_packed_servo *packed);
/*  As it is in snapshots, and back; of walls that are not loose all is 0. */
void scree_loose_pack(const scree_wall_record *wall, struct scree_packed_loose *packed);
void scree_loose_unpack(const struct scree_packed_loose *packed, scree_wall_record *wall);
/*  Whether such numbers can come from a world of so many dimensions. */
bool scree_loose_is_sound(const struct scree_packed_loose *packed, int dimensions);

#endif
