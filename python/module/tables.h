/*  How rows of the tables of fields are written: the struct's name, its member, and what more there is to say. */
#ifndef SCREE_PYTHON_TABLES_H
#define SCREE_PYTHON_TABLES_H

#include "module.h"

#define MEMBER(type, member, unit)                                                                 \
    sizeof(((type *)0)->member) / sizeof(unit), offsetof(type, member)
#define REAL(type, member)                                                                         \
    {                                                                                              \
#member, FIELD_REAL, MEMBER(type, member, double), NULL                                    \
    }
#define INTEGER(type, member)                                                                      \
    {                                                                                              \
#member, FIELD_INT, MEMBER(type, member, int), NULL                                        \
    }
#define U16(type, member)                                                                          \
    {                                                                                              \
#member, FIELD_U16, MEMBER(type, member, uint16_t), NULL                                   \
    }
#define U32(type, member)                                                                          \
    {                                                                                              \
#member, FIELD_U32, MEMBER(type, member, uint32_t), NULL                                   \
    }
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
#define CHOICE(type, member, names)                                                                \
    {                                                                                              \
#member, FIELD_CHOICE, MEMBER(type, member, int), names                                    \
    }
#define TEXT(type, member)                                                                         \
    {                                                                                              \
#member, FIELD_TEXT, MEMBER(type, member, char *), NULL                                    \
    }
#define STRUCT(type, member, fields)                                                               \
    {                                                                                              \
#member, FIELD_STRUCT, 1, offsetof(type, member), fields                                   \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, FIELD_END, 0, 0, NULL                                                                \
    }

#endif
