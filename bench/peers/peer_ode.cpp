/*  ODE, in doubles: its spaces over geometries, spheres or boxes. Each collide looks at all. */
#include "peer.h"

#include <ode/ode.h>

#include <cmath>
#include <vector>

namespace {

enum class Kind
{
    hash,
    sweep,
    quadtree
};

void offer_geoms(void *user, dGeomID a, dGeomID b)
{
    auto i = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(dGeomGetData(a)));
    auto j = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(dGeomGetData(b)));
    peer_offer(static_cast<peer_pairs *>(user), i, j);
}

template <Kind kind> class Space {
    const peer_bodies &all;
    dSpaceID space = nullptr;
    std::vector<dGeomID> geoms;

    /*  Cells as powers of two, from the size of the smallest to one that the largest fits into with
        its rounding: what fits into no cell meets all. */
    dSpaceID make_hash() const
    {
        dSpaceID made = dHashSpaceCreate(nullptr);
        dHashSpaceSetLevels(made, static_cast<int>(std::floor(std::log2(2 * all.smallest))),
                            static_cast<int>(std::ceil(std::log2(2.01 * all.largest))));
        return made;
    }

    /*  About eight bodies a leaf; the tree divides two axes. One level more or less changes little. */
    dSpaceID make_quadtree() const
    {
        dVector3 centre, extents;
        for (int k = 0; k < 3; k++) {
            centre[k] = (all.lower[k] + all.upper[k]) / 2;
            extents[k] = (all.upper[k] - all.lower[k]) / 2;
        }
        double depth = std::log2(static_cast<double>(all.count) / 8) / 2;
        int levels = static_cast<int>(std::fmin(std::fmax(depth, 2), 9));
        return dQuadTreeSpaceCreate(nullptr, centre, extents, levels);
    }

  public:
    static const char *refuse(const peer_bodies *bodies)
    {
        if (kind == Kind::hash && bodies->count > 100000)
            return "its collide clears n times n bits";
        return nullptr;
    }

    explicit Space(const peer_bodies &bodies) : all(bodies) { dInitODE2(0); }

    Space(const Space &) = delete;
    Space &operator=(const Space &) = delete;

    ~Space()
    {
        reset();
        dCloseODE();
    }

    void reset()
    {
        if (space)
            dSpaceDestroy(space); /* and its geometries */
        geoms.clear();
        space = kind == Kind::hash    ? make_hash()
                : kind == Kind::sweep ? dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ)
                                      : make_quadtree();
    }

    void build(const peer_bodies &bodies)
    {
        for (size_t i = 0; i < bodies.count; i++) {
            double c[3], h[3];
            peer_centred(&bodies, i, c, h);
            dGeomID geom = bodies.boxes
                               ? dCreateBox(space, 2 * h[0], 2 * h[1], 2 * h[2])
                               : dCreateSphere(space, std::fmax(std::fmax(h[0], h[1]), h[2]));
            dGeomSetPosition(geom, c[0], c[1], c[2]);
            dGeomSetData(geom, reinterpret_cast<void *>(static_cast<uintptr_t>(i)));
            geoms.push_back(geom);
        }
    }

    void move(const peer_bodies &bodies, const uint32_t *rows, size_t count)
    {
        peer_each_moved(bodies, rows, count, [&](uint32_t i) {
            double c[3], h[3];
            peer_centred(&bodies, i, c, h);
            dGeomSetPosition(geoms[i], c[0], c[1], c[2]);
        });
    }

    void find(peer_pairs &pairs) { dSpaceCollide(space, &pairs, offer_geoms); }
};

const peer_variant variants[] = {
    peer_make<Space<Kind::hash>>("ode-hash", "dHashSpace, levels from the smallest to the largest"),
    peer_make<Space<Kind::sweep>>("ode-sweep", "dSweepAndPruneSpace, axes xyz"),
    peer_make<Space<Kind::quadtree>>("ode-quadtree", "dQuadTreeSpace, about 8 bodies a leaf"),
    {},
};

} // namespace

const peer_library peer_this = {PEER_VERSION, variants, nullptr};
