/*  The files of the page, which cmake/embed_page.cmake embeds in the program from lab/page. */
#ifndef SCREE_LAB_PAGE_H
#define SCREE_LAB_PAGE_H

#include <stddef.h>

typedef struct scree_page_file
{
    const char *path; /* "/index.html" */
    const char *type; /* "text/html; charset=utf-8" */
    const unsigned char *bytes;
    size_t count;
} scree_page_file;

/*  Terminated by a NULL path. */
extern const scree_page_file scree_page_files[];

/*  "/" is the main page; NULL: there is no such file. */
const scree_page_file *scree_page_find(const char *path);

#endif
