/*  CGAL, in doubles: a tree of boxes over the triangles of the first body, asked with the box around each triangle of the
    second, widened by the reach. It names candidates; the triangles are left to the caller. */
#include "mesh_peer.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/version.h>

#include <iterator>
#include <memory>
#include <vector>

namespace {

using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

class Boxes {
    const mesh_peer_case &two;
    Triangles triangles[2];
    std::unique_ptr<Tree> tree[2];
    std::vector<Kernel::Iso_cuboid_3> boxes;
    std::vector<Tree::Primitive_id> found;

  public:
    explicit Boxes(const mesh_peer_case &both) : two(both) {}

    /*  In the world, as the tree cannot be turned; one of the two is asked. */
    void build()
    {
        for (int s = 0; s < 2; s++) {
            const mesh_peer_body &body = two.body[s];
            triangles[s].clear();
            for (size_t f = 0; f < body.facet_count; f++) {
                double at[3][3];
                for (size_t c = 0; c < 3; c++)
                    mesh_peer_place(&body, body.facets[3 * f + c], at[c]);
                triangles[s].emplace_back(Kernel::Point_3(at[0][0], at[0][1], at[0][2]),
                                          Kernel::Point_3(at[1][0], at[1][1], at[1][2]),
                                          Kernel::Point_3(at[2][0], at[2][1], at[2][2]));
            }
            tree[s] = std::make_unique<Tree>(triangles[s].begin(), triangles[s].end());
            tree[s]->build();
        }
    }

    /*  The boxes that are asked with. */
    void move()
    {
        boxes.clear();
        for (size_t f = 0; f < two.body[1].facet_count; f++) {
            double low[3], high[3];
            mesh_peer_box(&two.body[1], f, low, high);
            for (int k = 0; k < 3; k++) {
                low[k] -= two.reach;
                high[k] += two.reach;
            }
            boxes.emplace_back(Kernel::Point_3(low[0], low[1], low[2]),
                               Kernel::Point_3(high[0], high[1], high[2]));
        }
    }

    double find()
    {
        found.clear();
        for (const Kernel::Iso_cuboid_3 &box : boxes)
            tree[0]->all_intersected_primitives(box, std::back_inserter(found));
        return static_cast<double>(found.size());
    }
};

const mesh_peer_variant variants[] = {
    mesh_peer_make<Boxes>("cgal", "candidates: triangles in boxes"),
    {},
};

} // namespace

const mesh_peer_library mesh_peer_this = {CGAL_VERSION_STR, variants};
