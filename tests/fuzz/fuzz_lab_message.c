/*  Any bytes as a message of a page. What is taken must be of a kind that there is, with numbers that can be used and
    bytes within the message; what is refused must be told, and leave nothing behind. */
#include "../../lab/server/message.c"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*  For what must never be, in every build. */
static void insist(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scree_lab_message message = {0}, untouched = {0};
    scree_error error = {SCREE_OK, ""};

    if (scree_lab_message_read(data, size, &message, &error)) {
        insist(error.text[0] != 0 && error.status == SCREE_BAD_VALUE);
        insist(memcmp(&message, &untouched, sizeof message) == 0);
        return 0;
    }
    insist(size > 0 && message.kind == (scree_lab_kind)data[0]);
    insist(size <= scree_lab_message_most(data[0]));
    for (int k = 0; k < SCREE_LAB_NUMBERS; k++)
        insist(fabs(message.number[k]) <= 1e100);
    if (message.byte_count)
        insist(message.bytes > data && message.bytes + message.byte_count == data + size);
    return 0;
}
