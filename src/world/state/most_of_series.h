/*  How far a turn may go by series. Plain C, and plain OpenCL C. */
#ifndef SCREE_WORLD_MOST_OF_SERIES_H
#define SCREE_WORLD_MOST_OF_SERIES_H

/*  Half angles, squared, up to which the series are good to the last bit: turns of up to a quarter. */
#define SCREE_MOST_OF_SERIES 0x1p-6

#endif
