# The laboratory: the page of lab/page as bytes, what stands behind it, and, where libwebsockets is installed (Debian:
# libwebsockets-dev), the server. Without it, or with SCREE_WEBSOCKETS OFF, lab/server/no_server.c takes its place
# and `scree lab` says what is missing.

option(SCREE_WEBSOCKETS "Serve the laboratory, with libwebsockets where it is installed" ON)
set(SCREE_WEBSOCKETS_FOUND FALSE)
if(SCREE_WEBSOCKETS)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_check_modules(SCREE_WEBSOCKETS_MODULE QUIET IMPORTED_TARGET "libwebsockets>=4.0")
    endif()
    if(SCREE_WEBSOCKETS_MODULE_FOUND)
        set(SCREE_WEBSOCKETS_FOUND TRUE)
    else()
        message(STATUS "libwebsockets is not there: scree cannot serve the laboratory")
    endif()
endif()

file(GLOB SCREE_PAGE_FILES CONFIGURE_DEPENDS lab/page/*.html lab/page/*.css lab/page/*.js lab/page/*.svg lab/page/*.png
     docs/methods/*.md docs/images/method-*.svg)
set(SCREE_PAGE_EMBEDDED ${PROJECT_BINARY_DIR}/lab_page.c)
add_custom_command(OUTPUT ${SCREE_PAGE_EMBEDDED}
    COMMAND ${CMAKE_COMMAND} -DOUT=${SCREE_PAGE_EMBEDDED} "-DFILES=${SCREE_PAGE_FILES}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    DEPENDS ${SCREE_PAGE_FILES} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake VERBATIM)

add_library(scree_lab STATIC ${SCREE_LAB_SOURCES} ${SCREE_PAGE_EMBEDDED})
scree_inside(scree_lab)
target_include_directories(scree_lab PUBLIC ${PROJECT_SOURCE_DIR}/lab/server)
target_link_libraries(scree_lab PUBLIC scree_scene scree_bench PRIVATE scree_common)
if(SCREE_WEBSOCKETS_FOUND)
    target_compile_definitions(scree_lab PUBLIC SCREE_HAVE_WEBSOCKETS)
    # warnings are for this house, not for the library's headers
    target_include_directories(scree_lab SYSTEM PRIVATE ${SCREE_WEBSOCKETS_MODULE_INCLUDE_DIRS})
    target_link_libraries(scree_lab PRIVATE PkgConfig::SCREE_WEBSOCKETS_MODULE)
endif()
