# VTKHDF exports of the program, where HDF5 is installed (Debian: libhdf5-dev). Without it, `scree convert --to
# vtkhdf` says so.

option(SCREE_HDF5 "Write VTKHDF, with HDF5 where it is installed" ON)
set(SCREE_HDF5_FOUND FALSE)
if(SCREE_HDF5)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_search_module(SCREE_HDF5_MODULE QUIET IMPORTED_TARGET hdf5-serial hdf5)
    endif()
    if(SCREE_HDF5_MODULE_FOUND)
        set(SCREE_HDF5_FOUND TRUE)
        target_link_libraries(scree_program PRIVATE PkgConfig::SCREE_HDF5_MODULE)
        target_compile_definitions(scree_program PRIVATE SCREE_HDF5)
    else()
        message(STATUS "HDF5 is not there: scree cannot write VTKHDF")
    endif()
endif()
