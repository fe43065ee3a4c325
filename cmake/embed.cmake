# cmake -DOUT=FILE "-DFILES=A;B" -P embed.cmake: a C source that holds the text of each scene. Its folder is its group.

set(texts "")
set(rows "")
foreach(file ${FILES})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    # lines of sixteen bytes
    string(REGEX REPLACE "(................................................................................)" "\\1\n    " bytes "${bytes}")
    file(STRINGS ${file} first LIMIT_COUNT 1)
    string(REGEX REPLACE "^-- *" "" first "${first}")
    string(REPLACE "\\" "\\\\" first "${first}")
    string(REPLACE "\"" "\\\"" first "${first}")
    string(APPEND texts "static const char text_${name}[] = {\n    ${bytes}0};\n")
    get_filename_component(group ${file} DIRECTORY)
    get_filename_component(group ${group} NAME)
    string(REPLACE "scenes" "guide" group ${group})
    string(APPEND rows "    {\"${name}\", \"${group}\", \"${first}\", text_${name}},\n")
endforeach()
file(WRITE ${OUT} "/* made by cmake/embed.cmake */\n#include \"examples.h\"\n\n${texts}
const scree_scene_example scree_scene_examples[] = {\n${rows}    {NULL, NULL, NULL, NULL},\n};\n")
