# What `cmake --install` puts where: headers, both libraries, the pkg-config file, the CMake package, the programs, man
# pages and the completion for bash.

set(SCREE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/scree)

install(FILES ${SCREE_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/scree)
install(TARGETS scree scree_static EXPORT scree_targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET scree_mpi)
    install(TARGETS scree_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET scree_program)
    install(TARGETS scree_program scree_bench_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# what an installation needs to be built, without tests and examples: ./do install
add_custom_target(scree_to_install)
foreach(target scree scree_static scree_mpi scree_program scree_bench_program)
    if(TARGET ${target})
        add_dependencies(scree_to_install ${target})
    endif()
endforeach()

install(EXPORT scree_targets NAMESPACE scree:: DESTINATION ${SCREE_CMAKE_DIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/scree-config.cmake.in
    ${PROJECT_BINARY_DIR}/scree-config.cmake INSTALL_DESTINATION ${SCREE_CMAKE_DIR})
# a later minor version keeps the interface: docs/promises.md
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scree-config-version.cmake
    COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scree-config.cmake ${PROJECT_BINARY_DIR}/scree-config-version.cmake
        DESTINATION ${SCREE_CMAKE_DIR})

# the paths in scree.pc follow the file, so that an installation can be moved
file(RELATIVE_PATH SCREE_PC_PREFIX
     ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/scree.pc.in ${PROJECT_BINARY_DIR}/scree.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/scree.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES ${PROJECT_SOURCE_DIR}/man/libscree.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET scree_program)
    install(FILES ${PROJECT_SOURCE_DIR}/man/scree.1 ${PROJECT_SOURCE_DIR}/man/scree-bench.1
            DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    # bash looks for a file named as the program
    foreach(program scree scree-bench)
        install(FILES ${PROJECT_SOURCE_DIR}/completions/scree.bash RENAME ${program}
                DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    endforeach()
endif()
