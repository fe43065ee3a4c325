/*  Any bytes as a file of bodies, of each format in turn and by its content: LAMMPS data and dumps, Yade, CSV.
    What is refused must be refused with a reason, what is accepted must be accepted by a world too. */
#include "io_fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist_world_takes(const scree_body_list *list)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_world *world;
    scree_status status;
    def.step.dt = 1;
    insist_io(scree_world_create(&def, &world) == SCREE_OK, "world");
    insist_io(scree_world_add_material(world, &material, NULL) == SCREE_OK, "material");
    for (size_t i = 0; i < list->count; i++) {
        scree_body_def body = list->bodies[i];
        body.material.index1 = 1;
        body.serial = body.user;
        status = scree_world_add_body(world, &body, NULL);
        /* a mass or a moment of inertia may leave the range of doubles, which the world says */
        insist_io(status == SCREE_OK || status == SCREE_BAD_VALUE, scree_world_message(world));
    }
    scree_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int format = 0; format < SCREE_IMPORT_FORMATS; format++) {
        failing_allocator memory = {0};
        scree_import_def def = scree_default_import_def();
        scree_error error = {SCREE_OK, ""};
        scree_body_list list;
        scree_status status;
        def.format = (scree_import_format)format;
        def.allocator = failing_allocator_hooks(&memory);
        status = scree_import_bytes(data, size, "t", &def, &list, &error);
        insist_io(memory.live_bytes <= 1000 * size, "memory");
        if (status) {
            insist_io(status == SCREE_BAD_FILE || status == SCREE_BAD_ARGUMENT, "status");
            insist_io(strncmp(error.text, "t:", 2) == 0, "reason");
        } else if (list.count < 1000) {
            insist_world_takes(&list);
        }
        scree_body_list_free(&list);
        insist_io(failing_allocator_is_clean(&memory), "all memory given back");
    }
    return 0;
}
