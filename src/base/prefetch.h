/*  Prefetches a cache line that will be read or written soon: a hint that changes no result. */
#ifndef SCREE_PREFETCH_H
#define SCREE_PREFETCH_H

#if defined(__GNUC__)
#define SCREE_PREFETCH(address) __builtin_prefetch(address)
#define SCREE_PREFETCH_TO_WRITE(address) __builtin_prefetch(address, 1)
#else
#define SCREE_PREFETCH(address) ((void)(address))
#define SCREE_PREFETCH_TO_WRITE(address) ((void)(address))
#endif

#endif
