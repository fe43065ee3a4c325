/*  Bullet, in floats: the dynamic tree of boxes by itself (btDbvt, colliding with itself); the broadphase
    built on it, with margins, a cache of pairs and deferred collision; and the sweep along three axes
    with 32-bit bounds, which also keeps its pairs. */
#include "peer.h"

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <LinearMath/btScalar.h>

#include <memory>
#include <vector>

namespace {

void *to_pointer(uint32_t i)
{
    return reinterpret_cast<void *>(static_cast<uintptr_t>(i));
}

uint32_t to_id(void *pointer)
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pointer));
}

void box_of(const peer_bodies &bodies, size_t i, btVector3 &low, btVector3 &high)
{
    float l[3], h[3];
    peer_float_box(&bodies, i, l, h);
    low = btVector3(l[0], l[1], l[2]);
    high = btVector3(h[0], h[1], h[2]);
}

btDbvtVolume volume_of(const peer_bodies &bodies, size_t i)
{
    btVector3 low, high;
    box_of(bodies, i, low, high);
    return btDbvtVolume::FromMM(low, high);
}

struct NodeOffers : btDbvt::ICollide
{
    peer_pairs &pairs;
    explicit NodeOffers(peer_pairs &p) : pairs(p) {}
    void Process(const btDbvtNode *a, const btDbvtNode *b)
    {
        peer_offer(&pairs, to_id(a->data), to_id(b->data));
    }
};

class BareTree {
    btDbvt tree;
    std::vector<btDbvtNode *> leaves;

  public:
    static const char *refuse(const peer_bodies *) { return nullptr; }

    explicit BareTree(const peer_bodies &bodies) { leaves.reserve(bodies.count); }

    void reset()
    {
        tree.clear();
        leaves.clear();
    }

    void build(const peer_bodies &bodies)
    {
        for (size_t i = 0; i < bodies.count; i++)
            leaves.push_back(
                tree.insert(volume_of(bodies, i), to_pointer(static_cast<uint32_t>(i))));
    }

    void move(const peer_bodies &bodies, const uint32_t *rows, size_t count)
    {
        peer_each_moved(bodies, rows, count, [&](uint32_t i) {
            btDbvtVolume volume = volume_of(bodies, i);
            tree.update(leaves[i], volume);
        });
    }

    void find(peer_pairs &pairs)
    {
        NodeOffers offers(pairs);
        tree.collideTT(tree.m_root, tree.m_root, offers);
    }
};

/*  What the two broadphases have in common. */
class BulletPhase {
    std::vector<btBroadphaseProxy *> proxies;

  protected:
    std::unique_ptr<btBroadphaseInterface> broadphase;

  public:
    void build(const peer_bodies &bodies)
    {
        btVector3 low, high;
        proxies.clear();
        for (size_t i = 0; i < bodies.count; i++) {
            box_of(bodies, i, low, high);
            proxies.push_back(broadphase->createProxy(
                low, high, 0, to_pointer(static_cast<uint32_t>(i)), 1, 1, nullptr));
        }
    }

    void move(const peer_bodies &bodies, const uint32_t *rows, size_t count)
    {
        btVector3 low, high;
        peer_each_moved(bodies, rows, count, [&](uint32_t i) {
            box_of(bodies, i, low, high);
            broadphase->setAabb(proxies[i], low, high, nullptr);
        });
    }

    void find(peer_pairs &pairs)
    {
        broadphase->calculateOverlappingPairs(nullptr);
        const btBroadphasePairArray &found =
            broadphase->getOverlappingPairCache()->getOverlappingPairArray();
        for (int k = 0; k < found.size(); k++)
            peer_offer(&pairs, to_id(found[k].m_pProxy0->m_clientObject),
                       to_id(found[k].m_pProxy1->m_clientObject));
    }
};

class DynamicTree : public BulletPhase {
  public:
    static const char *refuse(const peer_bodies *) { return nullptr; }

    explicit DynamicTree(const peer_bodies &) {}

    void reset()
    {
        auto fresh = std::make_unique<btDbvtBroadphase>();
        fresh->m_deferedcollide = true;
        broadphase = std::move(fresh);
    }
};

class Sweep : public BulletPhase {
    btVector3 low, high;
    size_t count;

  public:
    static const char *refuse(const peer_bodies *bodies)
    {
        return bodies->count > 20000 ? "a body is sorted in among all that are there: quadratic"
                                     : nullptr;
    }

    explicit Sweep(const peer_bodies &bodies) : count(bodies.count)
    {
        for (int k = 0; k < 3; k++) {
            low[k] = nextafterf(static_cast<float>(bodies.lower[k]), -INFINITY);
            high[k] = nextafterf(static_cast<float>(bodies.upper[k]), INFINITY);
        }
    }

    void reset()
    {
        broadphase = std::make_unique<bt32BitAxisSweep3>(
            low, high, static_cast<unsigned int>(count + 2), nullptr, true);
    }
};

const peer_variant variants[] = {
    peer_make<BareTree>("bullet", "btDbvt, bare, leaves inserted one by one"),
    peer_make<DynamicTree>("bullet-pairs",
                           "btDbvtBroadphase with its pair cache, deferred collide"),
    peer_make<Sweep>("bullet-sweep", "bt32BitAxisSweep3 without a tree for rays"),
    {},
};

} // namespace

const peer_library peer_this = {PEER_VERSION, variants, nullptr};
