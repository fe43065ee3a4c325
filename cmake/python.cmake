# The module of Python: one file on the stable ABI, with the engine, scenes and Lua inside it. `./do python` puts it into a
# wheel.

find_package(Python3 3.11 COMPONENTS Interpreter REQUIRED)
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sysconfig; print(sysconfig.get_path('include'))"
                OUTPUT_VARIABLE python_include OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${python_include}/Python.h)
    message(FATAL_ERROR "there is no ${python_include}/Python.h: the headers of Python are not installed")
endif()

file(GLOB SCREE_PYTHON_SOURCES CONFIGURE_DEPENDS python/module/*.c)
add_library(scree_python MODULE ${SCREE_PYTHON_SOURCES})
# its pow stays visible: in the program Lua has to find it
set_target_properties(scree_scene PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(scree_python PRIVATE include)
target_include_directories(scree_python SYSTEM PRIVATE ${python_include})
target_link_libraries(scree_python PRIVATE scree_flags scree_link_flags scree_scene)
# runs that leave a folder behind: what `scree run` does, without its command line, and without HDF5, so that a wheel
# needs no library beside it
file(GLOB SCREE_PYTHON_RUN_SOURCES CONFIGURE_DEPENDS app/run/*.c)
list(FILTER SCREE_PYTHON_RUN_SOURCES EXCLUDE REGEX "/(run|lab|sweep)[.]c$")
list(APPEND SCREE_PYTHON_RUN_SOURCES app/convert/export_vtkhdf.c common/options.c common/machine.c common/json.c
     common/out_file.c common/regular_file.c)
add_library(scree_python_run OBJECT ${SCREE_PYTHON_RUN_SOURCES})
scree_inside(scree_python_run)
target_link_libraries(scree_python_run PUBLIC scree_scene)
target_include_directories(scree_python_run PUBLIC ${PROJECT_SOURCE_DIR})
set_target_properties(scree_python_run PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_link_libraries(scree_python PRIVATE scree_python_run)
# Lua is in the module, from its archive: then its x ^ y is that of scenes (scene/lua/power.c), and a wheel needs no
# library beside it. The archive is made for programs; what keeps it out of a module are the three streams of the C library.
if(SCREE_LUA_MODULE_FOUND)
    set(lua_archive ${PROJECT_BINARY_DIR}/python/lua.a)
    find_library(SCREE_LUA_ARCHIVE NAMES lib${SCREE_LUA_MODULE_LIBRARIES}.a HINTS ${SCREE_LUA_MODULE_LIBDIR})
    if(NOT SCREE_LUA_ARCHIVE OR NOT CMAKE_OBJCOPY)
        message(FATAL_ERROR "the module of Python wants Lua as an archive, and objcopy; or SCREE_LUA_SOURCES, or SCREE_LUA off")
    endif()
    add_custom_command(OUTPUT ${lua_archive} DEPENDS ${SCREE_LUA_ARCHIVE} VERBATIM
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/python
        COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdin=scree_lua_stdin --redefine-sym stdout=scree_lua_stdout
                --redefine-sym stderr=scree_lua_stderr ${SCREE_LUA_ARCHIVE} ${lua_archive})
    add_custom_target(scree_python_lua DEPENDS ${lua_archive})
    add_dependencies(scree_python scree_python_lua)
    target_link_libraries(scree_python PRIVATE ${lua_archive})
    target_link_options(scree_python PRIVATE -Wl,--as-needed)
endif()
# slots of types hold functions as void *, as Python wants it
set_source_files_properties(${SCREE_PYTHON_SOURCES} PROPERTIES COMPILE_OPTIONS
    "-Wno-pedantic;-Werror=implicit-function-declaration")
# nothing is seen from outside but what Python looks for, and what force functions of C call
target_link_options(scree_python PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/python/module/exports.map)
set_target_properties(scree_python PROPERTIES PREFIX "" OUTPUT_NAME _scree SUFFIX .abi3.so
                      C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python
                      LINK_DEPENDS ${PROJECT_SOURCE_DIR}/python/module/exports.map)
