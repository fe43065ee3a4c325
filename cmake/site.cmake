# The page without a server: the engine as WebAssembly, beside the files of the page. `./do site` configures this with
# emscripten, three times: with SIMD, with threads besides, and with neither for browsers that have none.

option(SCREE_SITE_SIMD "Use WebAssembly's vectors of 128 bits" ON)
option(SCREE_SITE_THREADS "Several threads, in memory that workers share" OFF)
if(NOT TARGET scree_lab OR NOT SCREE_LUA_FOUND)
    message(FATAL_ERROR "the page without a server needs SCREE_LUA_SOURCES, the sources of Lua 5.4")
endif()
if(SCREE_SITE_SIMD)
    # vectors change no result: a lane does what a number alone does
    target_compile_options(scree_flags INTERFACE -msimd128)
    target_compile_options(scree_lua PRIVATE -msimd128)
endif()
if(SCREE_SITE_THREADS)
    target_compile_options(scree_flags INTERFACE -pthread)
    target_compile_options(scree_lua PRIVATE -pthread)
endif()

add_executable(scree_site lab/site/site.c)
scree_inside(scree_site)
target_link_libraries(scree_site PRIVATE scree_lab)
set_target_properties(scree_site PROPERTIES OUTPUT_NAME scree)
target_link_options(scree_site PRIVATE -O3 -sMODULARIZE=1 -sEXPORT_NAME=createScree -sALLOW_MEMORY_GROWTH=1
    -sMAXIMUM_MEMORY=2147483648 -sINITIAL_MEMORY=33554432 -sTOTAL_STACK=1048576 -sENVIRONMENT=web,worker,node
    -sDYNAMIC_EXECUTION=0 -sEXPORTED_FUNCTIONS=_malloc,_free -sEXPORTED_RUNTIME_METHODS=UTF8ToString,HEAPU8)
if(SCREE_SITE_THREADS)
    # Whoever starts the engine says how many workers there shall be besides its own: one that is asked for later would not
    # come before the engine's own has nothing to do, so there are no more than these.
    target_link_options(scree_site PRIVATE -pthread "-sPTHREAD_POOL_SIZE=Module['workers']" -sPTHREAD_POOL_SIZE_STRICT=2
        -sDEFAULT_PTHREAD_STACK_SIZE=1048576)
endif()
