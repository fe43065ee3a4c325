# The library that reads scenes. Lua 5.4 is found by pkg-config, under the names that systems give it, or compiled
# from SCREE_LUA_SOURCES; with SCREE_LUA OFF, or where it is not there, scene/read/no_lua.c takes the place of what needs it.

option(SCREE_LUA "Read scenes, with Lua 5.4 where it is installed" ON)
set(SCREE_LUA_SOURCES "" CACHE PATH "Folder of Lua's sources, to be compiled in instead of what is installed")
set(SCREE_LUA_FOUND FALSE)
if(SCREE_LUA AND SCREE_LUA_SOURCES)
    file(GLOB lua_files ${SCREE_LUA_SOURCES}/l*.c)
    list(FILTER lua_files EXCLUDE REGEX "/(lua|luac)[.]c$")
    if(NOT lua_files)
        message(FATAL_ERROR "SCREE_LUA_SOURCES: no sources of Lua in \"${SCREE_LUA_SOURCES}\"")
    endif()
    add_library(scree_lua STATIC ${lua_files})
    target_include_directories(scree_lua SYSTEM PUBLIC ${SCREE_LUA_SOURCES})
    # numbers of a script are computed as the same numbers everywhere
    target_compile_options(scree_lua PRIVATE -ffp-contract=off)
    set(SCREE_LUA_FOUND TRUE)
elseif(SCREE_LUA)
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
file(GLOB SCREE_SCENE_EXAMPLES CONFIGURE_DEPENDS examples/lab/*.lua examples/scenes/*.lua)
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
    if(TARGET scree_lua)
        target_link_libraries(scree_scene PRIVATE scree_lua)
    else()
        # a static Lua needs the mathematical library behind itself
        set_property(TARGET PkgConfig::SCREE_LUA_MODULE APPEND PROPERTY INTERFACE_LINK_LIBRARIES m)
        target_link_libraries(scree_scene PRIVATE PkgConfig::SCREE_LUA_MODULE)
    endif()
endif()
