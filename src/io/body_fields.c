#include "io/body_fields.h"

#include <stddef.h>

/*  Global ids and materials are called id and type in a dump. */
const scree_body_field scree_body_fields[SCREE_BODY_COLUMNS] = {
    [SCREE_BODY_SERIAL] = {"serial", 1, {"serial"}, {"id"}, false},
    [SCREE_BODY_ID] = {"id", 1, {"id"}, {"i_index"}, false},
    [SCREE_BODY_MATERIAL] = {"material", 1, {"material"}, {"type"}, false},
    [SCREE_BODY_USER] = {"user", 1, {"user"}, {"i_user"}, false},
    [SCREE_BODY_CHAIN] = {"chain", 1, {"chain"}, {"i_chain"}, true},
    [SCREE_BODY_MASS] = {"mass", 1, {"mass"}, {"mass"}, false},
    [SCREE_BODY_RADIUS] = {"radius", 1, {"radius"}, {"radius"}, false},
    [SCREE_BODY_VELOCITY] = {"velocity", 3, {"vx", "vy", "vz"}, {"vx", "vy", "vz"}, false},
    [SCREE_BODY_SPIN] = {"spin", 3, {"wx", "wy", "wz"}, {"omegax", "omegay", "omegaz"}, false},
    [SCREE_BODY_ORIENTATION] =
        {"orientation", 4, {"qw", "qx", "qy", "qz"}, {"quatw", "quati", "quatj", "quatk"}, false},
    [SCREE_BODY_FORCE] = {"force", 3, {"fx", "fy", "fz"}, {"fx", "fy", "fz"}, false},
    [SCREE_BODY_TORQUE] = {"torque", 3, {"tx", "ty", "tz"}, {"tqx", "tqy", "tqz"}, false},
    [SCREE_BODY_TEMPERATURE] = {"temperature", 1, {"temperature"}, {"f_temperature"}, false},
    [SCREE_BODY_POSITION] = {NULL, 3, {"x", "y", "z"}, {"x", "y", "z"}, false},
};
