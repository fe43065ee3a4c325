# What `scree --version` says of the build: its optional parts, and those that are left out.

set(parts "scenes (Lua)" "lab (libwebsockets)" "VTKHDF (HDF5)" "GPUs (OpenCL)" "ranks (MPI)")
set(conditions SCREE_LUA_FOUND SCREE_WEBSOCKETS_FOUND SCREE_HDF5_FOUND SCREE_GPU "TARGET scree_mpi")
set(built "")
set(left_out "")
foreach(part condition IN ZIP_LISTS parts conditions)
    separate_arguments(condition)
    if(${condition})
        list(APPEND built ${part})
    else()
        list(APPEND left_out ${part})
    endif()
endforeach()
list(JOIN built ", " built)
list(JOIN left_out ", " left_out)
set_property(SOURCE app/main.c APPEND PROPERTY COMPILE_DEFINITIONS
    "SCREE_PARTS=\"${built}\"" "SCREE_LEFT_OUT=\"${left_out}\"")
