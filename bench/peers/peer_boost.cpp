/*  Boost.Geometry: an R-tree in doubles, bulk loaded (packing algorithm of the constructor), one query
    a body. If few bodies move, their boxes are taken out and put in again; if all do, it is loaded
    again. */
#include "peer.h"

#include <boost/function_output_iterator.hpp>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/version.hpp>

#include <vector>

namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

template <int D> class RTree {
    using Point = bg::model::point<double, D, bg::cs::cartesian>;
    using Box = bg::model::box<Point>;
    using Value = std::pair<Box, uint32_t>;
    bgi::rtree<Value, bgi::rstar<16>> tree;
    std::vector<Value> values;

    static Box box_of(const peer_bodies &bodies, size_t i)
    {
        double low[3], high[3];
        peer_box(&bodies, i, low, high);
        if constexpr (D == 3)
            return Box(Point(low[0], low[1], low[2]), Point(high[0], high[1], high[2]));
        else
            return Box(Point(low[0], low[1]), Point(high[0], high[1]));
    }

  public:
    static const char *refuse(const peer_bodies *bodies)
    {
        return bodies->dimensions == D ? nullptr : "for scenes of the other dimension";
    }

    explicit RTree(const peer_bodies &) {}

    void reset() { tree.clear(); }

    void build(const peer_bodies &bodies)
    {
        values.clear();
        values.reserve(bodies.count);
        for (size_t i = 0; i < bodies.count; i++)
            values.emplace_back(box_of(bodies, i), static_cast<uint32_t>(i));
        tree = bgi::rtree<Value, bgi::rstar<16>>(values.begin(), values.end());
    }

    void move(const peer_bodies &bodies, const uint32_t *rows, size_t count)
    {
        if (!rows) {
            build(bodies);
            return;
        }
        for (size_t k = 0; k < count; k++) {
            tree.remove(values[rows[k]]);
            values[rows[k]].first = box_of(bodies, rows[k]);
            tree.insert(values[rows[k]]);
        }
    }

    void find(peer_pairs &pairs)
    {
        for (const Value &value : values) {
            uint32_t i = value.second;
            auto offer = [&pairs, i](const Value &other) {
                if (other.second > i)
                    peer_offer(&pairs, i, other.second);
            };
            tree.query(bgi::intersects(value.first), boost::make_function_output_iterator(offer));
        }
    }
};

/*  One name, two dimensions. */
const peer_variant variants[] = {
    peer_make<RTree<3>>("boost", "rtree of doubles, rstar<16>, bulk loaded"),
    peer_make<RTree<2>>("boost", ""),
    {},
};

} // namespace

const peer_library peer_this = {BOOST_LIB_VERSION, variants, nullptr};
