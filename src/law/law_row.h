/*  Properties of a law that law_row.inc.h needs at compile time. */
#ifndef SCREE_LAW_ROW_H
#define SCREE_LAW_ROW_H

#include "law/law_constants.h"

#define LAW_PI 3.14159265358979323846

/*  What a law has in addition to spring, dashpot and friction. */
typedef enum law_kind
{
    LAW_DRY,     /* nothing */
    LAW_PENALTY, /* nothing, but its spring is proportional to the root of the mass */
    LAW_BOND,    /* law_bond.inc.h */
    LAW_JKR,     /* from here on: law_adhesion.inc.h */
    LAW_DMT,
    LAW_AREA,
    LAW_BRIDGE,
    LAW_PLASTIC,
    LAW_EEPA,
} law_kind;

/*  A law that is none of these but written as formulas: used by dry_contacts.c only. */
#define LAW_FORMULA ((law_kind)100)

/*  Identifies the law of a kernel: constants for the compiler. */
typedef struct law_traits
{
    bool is_hertz, rolls, keeps_account;
    law_kind kind;
} law_traits;

#define law_pulls(traits) ((traits).kind >= LAW_JKR)

#endif
