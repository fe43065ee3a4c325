/*  scree info --devices: which devices compute, what each can do, and how fast it moves bytes. */
#ifndef SCREE_DEVICES_H
#define SCREE_DEVICES_H

#include <stdbool.h>

/*  Returns the exit code. No device at all is an answer, too: a sentence says what to install. */
int scree_print_devices(bool as_json);

#endif
