/*  How rows of the tables of fields are written: the struct's name, its member, and what more there is to say. IN_...
    also takes the name, for a member of a group, which Python has without it. */
#ifndef SCREE_PYTHON_TABLES_H
#define SCREE_PYTHON_TABLES_H

#include "module.h"

#define MEMBER(type, member, unit)                                                                 \
    sizeof(((type *)0)->member) / sizeof(unit), offsetof(type, member)
#define IN_REAL(name, type, member)                                                                \
    {                                                                                              \
        name, FIELD_REAL, MEMBER(type, member, double), NULL                                       \
    }
#define REAL(type, member) IN_REAL(#member, type, member)
#define INTEGER(type, member)                                                                      \
    {                                                                                              \
#member, FIELD_INT, MEMBER(type, member, int), NULL                                        \
    }
#define U16(type, member)                                                                          \
    {                                                                                              \
#member, FIELD_U16, MEMBER(type, member, uint16_t), NULL                                   \
    }
#define IN_U32(name, type, member)                                                                 \
    {                                                                                              \
        name, FIELD_U32, MEMBER(type, member, uint32_t), NULL                                      \
    }
#define U32(type, member) IN_U32(#member, type, member)
#define U64(type, member)                                                                          \
    {                                                                                              \
#member, FIELD_U64, MEMBER(type, member, uint64_t), NULL                                   \
    }
#define ID(type, member)                                                                           \
    {                                                                                              \
#member, FIELD_ID, MEMBER(type, member, uint64_t), NULL                                    \
    }
#define TRUTH(type, member)                                                                        \
    {                                                                                              \
#member, FIELD_BOOL, MEMBER(type, member, bool), NULL                                      \
    }
#define IN_CHOICE(name, type, member, names)                                                       \
    {                                                                                              \
        name, FIELD_CHOICE, MEMBER(type, member, int), names                                       \
    }
#define CHOICE(type, member, names) IN_CHOICE(#member, type, member, names)
#define IN_TEXT(name, type, member)                                                                \
    {                                                                                              \
        name, FIELD_TEXT, MEMBER(type, member, char *), NULL                                       \
    }
#define TEXT(type, member) IN_TEXT(#member, type, member)
#define IN_STRUCT(name, type, member, fields)                                                      \
    {                                                                                              \
        name, FIELD_STRUCT, 1, offsetof(type, member), fields                                      \
    }
#define STRUCT(type, member, fields) IN_STRUCT(#member, type, member, fields)
#define END                                                                                        \
    {                                                                                              \
        NULL, FIELD_END, 0, 0, NULL                                                                \
    }

#endif
