/*  Box2D, in floats: its dynamic tree, one query a body; and its broad phase, which reports pairs as they
    begin, while the user keeps them until the enlarged boxes part, as its contact manager does. */
#include "peer.h"

#include <box2d/b2_broad_phase.h>

#include <memory>
#include <string>
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

b2AABB box_of(const peer_bodies &bodies, size_t i)
{
    float low[3], high[3];
    peer_float_box(&bodies, i, low, high);
    b2AABB box;
    box.lowerBound.Set(low[0], low[1]);
    box.upperBound.Set(high[0], high[1]);
    return box;
}

b2Vec2 step_of(const peer_bodies &bodies, size_t i)
{
    return b2Vec2(static_cast<float>(bodies.velocity[0][i]),
                  static_cast<float>(bodies.velocity[1][i]));
}

const char *refuse_3d(const peer_bodies *bodies)
{
    return bodies->dimensions == 2 ? nullptr : "for two dimensions";
}

class QueryTree {
    const peer_bodies &all;
    std::unique_ptr<b2DynamicTree> tree;
    std::vector<int32> proxies;
    peer_pairs *pairs = nullptr;
    uint32_t asking = 0;

  public:
    static const char *refuse(const peer_bodies *bodies) { return refuse_3d(bodies); }

    explicit QueryTree(const peer_bodies &bodies) : all(bodies) {}

    void reset()
    {
        tree = std::make_unique<b2DynamicTree>();
        proxies.clear();
    }

    void build(const peer_bodies &bodies)
    {
        for (size_t i = 0; i < bodies.count; i++)
            proxies.push_back(
                tree->CreateProxy(box_of(bodies, i), to_pointer(static_cast<uint32_t>(i))));
    }

    void move(const peer_bodies &bodies, const uint32_t *rows, size_t count)
    {
        peer_each_moved(bodies, rows, count, [&](uint32_t i) {
            tree->MoveProxy(proxies[i], box_of(bodies, i), step_of(bodies, i));
        });
    }

    /*  Of the tree: a leaf that meets the box asked about. */
    bool QueryCallback(int32 proxy)
    {
        uint32_t j = to_id(tree->GetUserData(proxy));
        if (j > asking)
            peer_offer(pairs, asking, j);
        return true;
    }

    void find(peer_pairs &found)
    {
        pairs = &found;
        for (asking = 0; asking < all.count; asking++)
            tree->Query(this, box_of(all, asking));
    }
};

class PairKeeper {
    std::unique_ptr<b2BroadPhase> broadphase;
    std::vector<int32> proxies;
    std::vector<std::vector<uint32_t>> kept; /* partners of each body, at the smaller id */

  public:
    static const char *refuse(const peer_bodies *bodies) { return refuse_3d(bodies); }

    explicit PairKeeper(const peer_bodies &) {}

    void reset()
    {
        broadphase = std::make_unique<b2BroadPhase>();
        proxies.clear();
        kept.clear();
    }

    void build(const peer_bodies &bodies)
    {
        kept.resize(bodies.count);
        for (size_t i = 0; i < bodies.count; i++)
            proxies.push_back(
                broadphase->CreateProxy(box_of(bodies, i), to_pointer(static_cast<uint32_t>(i))));
    }

    void move(const peer_bodies &bodies, const uint32_t *rows, size_t count)
    {
        peer_each_moved(bodies, rows, count, [&](uint32_t i) {
            broadphase->MoveProxy(proxies[i], box_of(bodies, i), step_of(bodies, i));
        });
    }

    /*  Of the broad phase: a pair that may be new. */
    void AddPair(void *a, void *b)
    {
        uint32_t i = std::min(to_id(a), to_id(b)), j = std::max(to_id(a), to_id(b));
        for (uint32_t partner : kept[i])
            if (partner == j)
                return;
        kept[i].push_back(j);
    }

    void find(peer_pairs &pairs)
    {
        broadphase->UpdatePairs(this);
        for (uint32_t i = 0; i < kept.size(); i++) {
            std::vector<uint32_t> &partners = kept[i];
            for (size_t k = 0; k < partners.size();) {
                if (broadphase->TestOverlap(proxies[i], proxies[partners[k]])) {
                    peer_offer(&pairs, i, partners[k]);
                    k++;
                } else {
                    partners[k] = partners.back();
                    partners.pop_back();
                }
            }
        }
    }
};

const peer_variant variants[] = {
    peer_make<QueryTree>("box2d", "b2DynamicTree, one query a body"),
    peer_make<PairKeeper>("box2d-pairs", "b2BroadPhase, pairs kept while enlarged boxes overlap"),
    {},
};

} // namespace

const peer_library peer_this = {PEER_VERSION, variants, nullptr};
