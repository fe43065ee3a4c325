# cmake -DOUT=FILE -DROOT=src "-DFILES=A;B" -P embed_kernels.cmake: a C source that holds the text of each file and of all
# that they include by #include "PATH", PATH below ROOT; and OUT.d, which says what it was made of.

cmake_minimum_required(VERSION 3.22)
set(rows "")
set(texts "")
set(depends "")
set(count 0)
set(waiting ${FILES})
set(seen "")
while(waiting)
    list(POP_FRONT waiting file)
    if(file IN_LIST seen)
        continue()
    endif()
    list(APPEND seen ${file})
    string(APPEND depends " ${file}")
    file(RELATIVE_PATH name ${ROOT} ${file})
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    # lines of sixteen bytes
    string(REGEX REPLACE "(................................................................................)" "\\1\n    " bytes "${bytes}")
    string(APPEND texts "static const char text_${count}[] = {\n    ${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", text_${count}},\n")
    math(EXPR count "${count} + 1")
    file(STRINGS ${file} lines REGEX "^#include \"")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" path "${line}")
        if(NOT EXISTS ${ROOT}/${path})
            message(FATAL_ERROR "${file} includes \"${path}\", which is not in ${ROOT}")
        endif()
        list(APPEND waiting ${ROOT}/${path})
    endforeach()
endwhile()
file(WRITE ${OUT} "/* made by cmake/embed_kernels.cmake */
#include <stddef.h>

typedef struct scree_kernel_file
{
    const char *name;
    const char *text;
} scree_kernel_file;
extern const scree_kernel_file scree_kernel_files[];

${texts}
const scree_kernel_file scree_kernel_files[] = {\n${rows}    {NULL, NULL},\n};\n")
file(WRITE ${OUT}.d "${OUT}:${depends}\n")
