/*  scree info --devices: the OpenCL devices, their capabilities and memory bandwidth. */
#ifndef SCREE_DEVICES_H
#define SCREE_DEVICES_H

#include <stdbool.h>

/*  Returns the exit code. Without a device it prints a message that says what to install. */
int scree_print_devices(bool as_json);

#endif
