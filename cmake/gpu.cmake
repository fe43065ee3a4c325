# The part for GPUs: OpenCL is opened at run time (dlopen), so that a build needs nothing of it. Texts of kernels, the .cl
# files of src/gpu and what they include, become part of the library. Without it, or with SCREE_GPU OFF, all is built, and a device that is
# asked for is refused with a sentence.

option(SCREE_GPU "Compute on GPUs, with OpenCL where a machine has it" ON)
if(SCREE_GPU AND UNIX AND NOT EMSCRIPTEN)
    set(kernel_texts ${PROJECT_BINARY_DIR}/kernel_texts.c)
    file(GLOB kernel_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gpu/*.cl
         ${PROJECT_SOURCE_DIR}/src/world/device/*.cl)
    add_custom_command(OUTPUT ${kernel_texts}
        COMMAND ${CMAKE_COMMAND} -DOUT=${kernel_texts} -DROOT=${PROJECT_SOURCE_DIR}/src "-DFILES=${kernel_files}"
                -P ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
        DEPENDS ${kernel_files} ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake
        DEPFILE ${kernel_texts}.d VERBATIM)
    target_sources(scree_objects PRIVATE ${kernel_texts})
    target_compile_definitions(scree_objects PRIVATE SCREE_GPU)
    if(CMAKE_DL_LIBS)
        set(SCREE_PC_DL " -l${CMAKE_DL_LIBS}")
    endif()
    foreach(library ${libraries})
        target_link_libraries(${library} PUBLIC ${CMAKE_DL_LIBS})
    endforeach()
endif()
