/*  Chipmunk, in doubles: its spatial indexes, a tree of boxes that keeps pairs and enlarges boxes by the
    bodies' velocities, a hash of cells, and a sweep along one axis. */
#include "peer.h"

#include <chipmunk/chipmunk.h>

#include <string>
#include <vector>

namespace {

struct Body
{
    cpBB box;
    cpVect velocity;
    uint32_t id;
};

cpBB box_of(void *object)
{
    return static_cast<Body *>(object)->box;
}

cpVect velocity_of(void *object)
{
    return static_cast<Body *>(object)->velocity;
}

cpCollisionID offer_objects(void *a, void *b, cpCollisionID id, void *user)
{
    peer_offer(static_cast<peer_pairs *>(user), static_cast<Body *>(a)->id,
               static_cast<Body *>(b)->id);
    return id;
}

enum class Kind
{
    tree,
    hash,
    sweep
};

template <Kind kind> class Index {
    const peer_bodies &all;
    cpSpatialIndex *index = nullptr;
    std::vector<Body> objects;

    void refresh(const peer_bodies &bodies, uint32_t i)
    {
        double low[3], high[3];
        peer_box(&bodies, i, low, high);
        objects[i].box = cpBBNew(low[0], low[1], high[0], high[1]);
        objects[i].velocity = cpv(bodies.velocity[0][i], bodies.velocity[1][i]);
    }

    /*  As the makers advise: a cell of the average size, ten times as many cells as objects. */
    cpSpatialIndex *make_hash() const
    {
        double sum = 0;
        for (size_t i = 0; i < all.count; i++)
            sum += 2 * all.radius[i];
        return cpSpaceHashNew(sum / static_cast<double>(all.count),
                              static_cast<int>(10 * all.count), box_of, nullptr);
    }

  public:
    static const char *refuse(const peer_bodies *bodies)
    {
        if (bodies->dimensions != 2)
            return "for two dimensions";
        return kind == Kind::sweep && bodies->count > 200000 ? "its cost grows as N^1.5" : nullptr;
    }

    explicit Index(const peer_bodies &bodies) : all(bodies) {}

    Index(const Index &) = delete;
    Index &operator=(const Index &) = delete;

    ~Index()
    {
        if (index)
            cpSpatialIndexFree(index);
    }

    void reset()
    {
        if (index)
            cpSpatialIndexFree(index);
        index = kind == Kind::tree   ? cpBBTreeNew(box_of, nullptr)
                : kind == Kind::hash ? make_hash()
                                     : cpSweep1DNew(box_of, nullptr);
        if (kind == Kind::tree && all.moving)
            cpBBTreeSetVelocityFunc(index, velocity_of);
    }

    void build(const peer_bodies &bodies)
    {
        objects.resize(bodies.count);
        for (uint32_t i = 0; i < bodies.count; i++) {
            refresh(bodies, i);
            objects[i].id = i;
            cpSpatialIndexInsert(index, &objects[i], i);
        }
    }

    void move(const peer_bodies &bodies, const uint32_t *rows, size_t count)
    {
        peer_each_moved(bodies, rows, count, [&](uint32_t i) { refresh(bodies, i); });
    }

    void find(peer_pairs &pairs) { cpSpatialIndexReindexQuery(index, offer_objects, &pairs); }
};

const peer_variant variants[] = {
    peer_make<Index<Kind::tree>>("chipmunk", "cpBBTree, with velocities if bodies move"),
    peer_make<Index<Kind::hash>>("chipmunk-hash",
                                 "cpSpaceHash, cell of the mean diameter, 10 n cells"),
    peer_make<Index<Kind::sweep>>("chipmunk-sweep", "cpSweep1D"),
    {},
};

} // namespace

const peer_library peer_this = {PEER_VERSION, variants, nullptr};
