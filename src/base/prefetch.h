/*  Prefetches a cache line that will be read soon: a hint that changes no result. */
#ifndef SCREE_PREFETCH_H
#define SCREE_PREFETCH_H

#if defined(__GNUC__)
#define SCREE_PREFETCH(address) __builtin_prefetch(address)
#else
#define SCREE_PREFETCH(address) ((void)(address))
#endif

#endif
