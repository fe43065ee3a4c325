#include "world/measure/cut_bonds.h"

#include "law/law_builtin.h"
#include "world/step/world_data.h"

static bool is_intact(const scree_rules *rules, const scree_contact_list *list, size_t c)
{
    /* pairs that do not touch have no rule yet */
    if (!list->touches[c][0])
        return false;
    const scree_law *law = rules->slots[list->slot[c][0]].law;
    return law && scree_law_has_bonds(law) &&
           list->history[SCREE_BOND_STATE][c] == SCREE_BOND_INTACT;
}

/*  Removes the bond. The history of friction and rolling, which comes first, is kept. */
static void cut(const scree_rules *rules, scree_contact_list *list, size_t c)
{
    uint32_t planes = rules->slots[list->slot[c][0]].law->memory_count;

    for (uint32_t m = SCREE_BOND_MEMORY; m < planes; m++)
        list->history[m][c] = 0;
    list->history[SCREE_BOND_STATE][c] = SCREE_BOND_NONE;
}

uint64_t scree_world_cut_bonds(scree_world *world, scree_cut_fn *is_chosen, void *user)
{
    scree_contact_list *list = &world->pairs;
    uint64_t count = 0;

    for (size_t c = 0; c < list->count; c++) {
        double step[3], turns[3], to[3];
        if (!is_intact(&world->rules, list, c))
            continue;
        const double *from = world->bodies.position[list->first[c][0]];
        scree_domain_step(&world->cell.next, from, world->bodies.position[list->second[c][0]], step,
                          turns);
        for (int k = 0; k < 3; k++)
            to[k] = from[k] + step[k];
        if (is_chosen(from, to, user)) {
            cut(&world->rules, list, c);
            count++;
        }
    }
    /* the forces of the last step are those with the bonds */
    if (count) {
        world->clock.unprimed = 1;
        world->rows_are_stale = true;
    }
    return count;
}
