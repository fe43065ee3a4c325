# All compiler flags, in one place. They go to scree's own targets only, never to a user's.

add_library(scree_flags INTERFACE)
add_library(scree_link_flags INTERFACE)

target_compile_features(scree_flags INTERFACE c_std_17)
set(CMAKE_C_EXTENSIONS OFF)
target_compile_definitions(scree_flags INTERFACE
    _POSIX_C_SOURCE=200809L
    $<$<CONFIG:Debug>:SCREE_DEBUG>
    $<$<BOOL:${SCREE_COVERAGE}>:SCREE_COVERAGE>)

# Flags that change results. A fused multiply-add rounds once where two operations round twice, so a
# test that decides a pair would differ between processors with and without it. -ffast-math and its
# parts are never used, for the same reason.
target_compile_options(scree_flags INTERFACE -ffp-contract=off)

target_compile_options(scree_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wundef $<$<BOOL:${SCREE_WERROR}>:-Werror>)

if(SCREE_SANITIZE)
    # A finding ends the program: a test that goes on after one would pass.
    set(sanitize -fsanitize=${SCREE_SANITIZE} -fno-omit-frame-pointer)
    if(SCREE_SANITIZE MATCHES undefined)
        list(APPEND sanitize -fsanitize=float-cast-overflow -fno-sanitize-recover=all)
    endif()
    # What is compiled does the same. gcc's search for registers loop by loop takes half of the time for kernels of
    # contacts, which checks make very long.
    if(CMAKE_C_COMPILER_ID STREQUAL GNU)
        list(APPEND sanitize -fira-region=one)
    endif()
    target_compile_options(scree_flags INTERFACE ${sanitize})
    target_link_options(scree_link_flags INTERFACE ${sanitize})
    # hundreds of tests hold the whole library each, which checks make large: a linker that is quick, where there is one
    include(CheckLinkerFlag)
    foreach(linker lld gold)
        check_linker_flag(C -fuse-ld=${linker} SCREE_LINKS_WITH_${linker})
        if(SCREE_LINKS_WITH_${linker})
            target_link_options(scree_link_flags INTERFACE -fuse-ld=${linker})
            break()
        endif()
    endforeach()
endif()

if(SCREE_COVERAGE)
    # atomic: several threads count at once
    target_compile_options(scree_flags INTERFACE --coverage -fprofile-update=atomic)
    target_link_options(scree_link_flags INTERFACE --coverage)
endif()
