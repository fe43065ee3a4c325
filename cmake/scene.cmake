# The library that reads scenes. Lua 5.4 is found by pkg-config, under the names that systems give it; with
# SCREE_LUA OFF, or where it is not there, scene/no_lua.c takes the place of what needs it.

option(SCREE_LUA "Read scenes, with Lua 5.4 where it is installed" ON)
set(SCREE_LUA_FOUND FALSE)
if(SCREE_LUA)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        foreach(module lua5.4 lua54 lua-5.4 "lua>=5.4")
            pkg_check_modules(SCREE_LUA_MODULE QUIET IMPORTED_TARGET ${module})
            if(SCREE_LUA_MODULE_FOUND AND SCREE_LUA_MODULE_VERSION MATCHES "^5\\.4")
                set(SCREE_LUA_FOUND TRUE)
                break()
            endif()
            unset(SCREE_LUA_MODULE_FOUND CACHE)
        endforeach()
    endif()
    if(NOT SCREE_LUA_FOUND)
        message(STATUS "Lua 5.4 is not there: scree cannot read scenes")
    endif()
endif()

# the example scenes become part of the program: bytes of each file, and a table of them
file(GLOB SCREE_SCENE_EXAMPLES CONFIGURE_DEPENDS examples/scenes/*.lua)
set(SCREE_SCENE_EMBEDDED ${PROJECT_BINARY_DIR}/scene_examples.c)
add_custom_command(OUTPUT ${SCREE_SCENE_EMBEDDED}
    COMMAND ${CMAKE_COMMAND} -DOUT=${SCREE_SCENE_EMBEDDED} "-DFILES=${SCREE_SCENE_EXAMPLES}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${SCREE_SCENE_EXAMPLES} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)

if(SCREE_LUA_FOUND)
    file(GLOB SCREE_SCENE_LUA_SOURCES CONFIGURE_DEPENDS scene/lua/*.c)
endif()
add_library(scree_scene STATIC ${SCREE_SCENE_SOURCES} ${SCREE_SCENE_LUA_SOURCES} ${SCREE_SCENE_EMBEDDED})
scree_inside(scree_scene)
target_include_directories(scree_scene PUBLIC ${PROJECT_SOURCE_DIR}/scene)
if(SCREE_LUA_FOUND)
    target_compile_definitions(scree_scene PRIVATE SCREE_HAVE_LUA)
    target_link_libraries(scree_scene PRIVATE PkgConfig::SCREE_LUA_MODULE)
endif()
