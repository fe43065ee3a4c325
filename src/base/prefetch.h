/*  A line of memory that will be read soon is asked for: a hint, which changes no result. */
#ifndef SCREE_PREFETCH_H
#define SCREE_PREFETCH_H

#if defined(__GNUC__)
#define SCREE_PREFETCH(address) __builtin_prefetch(address)
#else
#define SCREE_PREFETCH(address) ((void)(address))
#endif

#endif
