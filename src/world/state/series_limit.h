/*  The largest rotation for which series are used. Plain C, and plain OpenCL C. */
#ifndef SCREE_WORLD_MAX_OF_SERIES_H
#define SCREE_WORLD_MAX_OF_SERIES_H

/*  Square of the half angle up to which the series are exact to the last bit: rotations of up to a quarter turn. */
#define SCREE_SERIES_LIMIT 0x1p-6

#endif
