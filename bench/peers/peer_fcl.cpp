/*  FCL, in doubles: its managers of collision objects. The callback decides, as in every program that
    uses FCL for a broad phase. If few bodies move, the manager is told which. */
#include "peer.h"

#include <fcl/broadphase/broadphase_SSaP.h>
#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/broadphase/broadphase_interval_tree.h>
#include <fcl/broadphase/broadphase_spatialhash.h>
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/sphere.h>

#include <memory>
#include <vector>

namespace {

using Object = fcl::CollisionObjectd;

bool offer_objects(Object *a, Object *b, void *user)
{
    auto i = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(a->getUserData()));
    auto j = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(b->getUserData()));
    peer_offer(static_cast<peer_pairs *>(user), i, j);
    return false;
}

template <class M> std::unique_ptr<M> make_manager(const peer_bodies &)
{
    return std::make_unique<M>();
}

using Hash = fcl::SpatialHashingCollisionManager<double>;

template <> std::unique_ptr<Hash> make_manager<Hash>(const peer_bodies &bodies)
{
    fcl::Vector3d lower(bodies.lower[0], bodies.lower[1], bodies.lower[2]);
    fcl::Vector3d upper(bodies.upper[0], bodies.upper[1], bodies.upper[2]);
    return std::make_unique<Hash>(2 * bodies.largest, lower, upper,
                                  static_cast<unsigned int>(2 * bodies.count));
}

/*  More than so many bodies are too many for it. */
template <class M, size_t most> class Manager {
    const peer_bodies &all;
    std::unique_ptr<M> manager;
    std::vector<std::unique_ptr<Object>> objects;
    std::vector<Object *> list;

  public:
    static const char *refuse(const peer_bodies *bodies)
    {
        return bodies->count > most ? "its cost is near to quadratic" : nullptr;
    }

    explicit Manager(const peer_bodies &bodies) : all(bodies) {}

    void reset()
    {
        manager = make_manager<M>(all);
        objects.clear();
        list.clear();
    }

    void build(const peer_bodies &bodies)
    {
        for (size_t i = 0; i < bodies.count; i++) {
            double c[3], h[3];
            peer_centred(&bodies, i, c, h);
            std::shared_ptr<fcl::CollisionGeometryd> shape;
            if (bodies.boxes)
                shape = std::make_shared<fcl::Boxd>(2 * h[0], 2 * h[1], 2 * h[2]);
            else
                shape = std::make_shared<fcl::Sphered>(std::max(std::max(h[0], h[1]), h[2]));
            objects.push_back(std::make_unique<Object>(shape, fcl::Matrix3d::Identity(),
                                                       fcl::Vector3d(c[0], c[1], c[2])));
            objects.back()->setUserData(reinterpret_cast<void *>(static_cast<uintptr_t>(i)));
            list.push_back(objects.back().get());
        }
        manager->registerObjects(list);
        manager->setup();
    }

    void move(const peer_bodies &bodies, const uint32_t *rows, size_t count)
    {
        std::vector<Object *> moved;
        peer_each_moved(bodies, rows, count, [&](uint32_t i) {
            double c[3], h[3];
            peer_centred(&bodies, i, c, h);
            list[i]->setTranslation(fcl::Vector3d(c[0], c[1], c[2]));
            list[i]->computeAABB();
            if (rows)
                moved.push_back(list[i]);
        });
        /* some managers hide the one or the other overload */
        fcl::BroadPhaseCollisionManagerd &base = *manager;
        if (rows)
            base.update(moved);
        else
            base.update();
    }

    void find(peer_pairs &pairs) { manager->collide(&pairs, offer_objects); }
};

const size_t MANY = 1000000;
const size_t FEW = 20000;

const peer_variant variants[] = {
    peer_make<Manager<fcl::DynamicAABBTreeCollisionManagerd, MANY>>(
        "fcl-tree", "DynamicAABBTreeCollisionManager"),
    peer_make<Manager<fcl::DynamicAABBTreeCollisionManager_Arrayd, MANY>>(
        "fcl-tree-array", "DynamicAABBTreeCollisionManager_Array"),
    peer_make<Manager<fcl::SaPCollisionManagerd, FEW>>("fcl-sap", "SaPCollisionManager"),
    peer_make<Manager<fcl::SSaPCollisionManagerd, MANY>>("fcl-ssap", "SSaPCollisionManager"),
    peer_make<Manager<fcl::IntervalTreeCollisionManagerd, FEW>>("fcl-interval",
                                                                "IntervalTreeCollisionManager"),
    peer_make<Manager<Hash, MANY>>("fcl-hash",
                                   "SpatialHashingCollisionManager, cell of the largest"),
    {},
};

} // namespace

const peer_library peer_this = {FCL_VERSION, variants, nullptr};
