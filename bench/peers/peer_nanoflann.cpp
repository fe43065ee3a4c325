/*  nanoflann: a k-d tree of points, and a search within the diameter around each, for equal spheres. Its
    test is open (distance < radius), so it searches a little farther and the rule decides. */
#include "peer.h"

#include <nanoflann.hpp>

#include <memory>

namespace {

struct Points
{
    const peer_bodies *bodies;

    size_t kdtree_get_point_count() const { return bodies->count; }
    double kdtree_get_pt(size_t i, size_t axis) const { return bodies->row[4 * i + axis]; }
    template <class Bounds> bool kdtree_get_bbox(Bounds &) const { return false; }
};

/*  A result set of the library's own kind that offers each point as it is found. */
struct PointOffers
{
    using DistanceType = double;
    peer_pairs &pairs;
    uint32_t i;
    double within_sq;

    size_t size() const { return 0; }
    bool full() const { return true; }
    double worstDist() const { return within_sq; }
    bool addPoint(double, uint32_t j)
    {
        if (j > i)
            peer_offer(&pairs, i, j);
        return true;
    }
};

template <int D> class PointTree {
    using Metric = nanoflann::L2_Simple_Adaptor<double, Points>;
    using Index = nanoflann::KDTreeSingleIndexAdaptor<Metric, Points, D, uint32_t>;
    Points points;
    std::unique_ptr<Index> index;

  public:
    static const char *refuse(const peer_bodies *bodies)
    {
        if (bodies->boxes || bodies->largest > bodies->smallest)
            return "for equal spheres alone";
        return bodies->dimensions == D ? nullptr : "for scenes of the other dimension";
    }

    explicit PointTree(const peer_bodies &bodies) : points{&bodies} {}

    void reset() { index.reset(); }

    void build(const peer_bodies &)
    {
        index = std::make_unique<Index>(D, points, nanoflann::KDTreeSingleIndexAdaptorParams(10));
    }

    void move(const peer_bodies &, const uint32_t *, size_t) { index->buildIndex(); }

    void find(peer_pairs &pairs)
    {
        double diameter = 2 * points.bodies->largest;
        nanoflann::SearchParams unsorted(32, 0, false);
        for (uint32_t i = 0; i < points.bodies->count; i++) {
            PointOffers offers{pairs, i, diameter * diameter * (1 + 1e-9)};
            index->findNeighbors(offers, points.bodies->row + size_t{4} * i, unsorted);
        }
    }
};

/*  One name, two dimensions. */
const peer_variant variants[] = {
    peer_make<PointTree<3>>("nanoflann", "k-d tree of doubles, leaves of 10"),
    peer_make<PointTree<2>>("nanoflann", ""),
    {},
};

} // namespace

const peer_library peer_this = {PEER_VERSION, variants, nullptr};
