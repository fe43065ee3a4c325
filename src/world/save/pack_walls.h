/*  Conversion of what walls have to and from the form in snapshots. */
#ifndef SCREE_WORLD_PACK_WALLS_H
#define SCREE_WORLD_PACK_WALLS_H

#include "world/state/walls.h"

struct scree_packed_path;
struct scree_packed_path_part;
struct scree_packed_servo;
struct scree_packed_free_wall;
struct scree_packed_wall_heat;

/*  A path without its parts. Tables are owned by the caller. */
void scree_path_pack(const scree_wall_path *path, struct scree_packed_path *packed);
void scree_path_unpack(const struct scree_packed_path *packed, const double (*table)[4],
                       scree_wall_path *path);
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
/*  The temperature of a wall, and the heat that flows into it. */
void scree_wall_heat_pack(const scree_wall_heat *heat, struct scree_packed_wall_heat *packed);
void scree_wall_heat_unpack(const struct scree_packed_wall_heat *packed, scree_wall_heat *heat);

#endif
