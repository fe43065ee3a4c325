/*  CGAL: box_self_intersection_d, a streamed segment tree with a sweep below a cutoff (Zomorodian and
    Edelsbrunner 2002). It keeps nothing from call to call, so moving bodies are built again. */
#include "peer.h"

#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <vector>

namespace {

/*  The makers' default of 10 is far too small here; from 500 to 2000 all are alike. Boxes by value are a
    tenth faster than pointers to them. */
const std::ptrdiff_t CUTOFF = 1000;

template <int D> class Boxes {
    using Box = CGAL::Box_intersection_d::Box_with_info_d<double, D, uint32_t>;
    std::vector<Box> boxes;

  public:
    static const char *refuse(const peer_bodies *bodies)
    {
        return bodies->dimensions == D ? nullptr : "for scenes of the other dimension";
    }

    explicit Boxes(const peer_bodies &) {}

    void reset() {}

    void build(const peer_bodies &bodies)
    {
        boxes.clear();
        boxes.reserve(bodies.count);
        for (size_t i = 0; i < bodies.count; i++) {
            double low[3], high[3];
            peer_box(&bodies, i, low, high);
            boxes.emplace_back(low, high, static_cast<uint32_t>(i));
        }
    }

    void move(const peer_bodies &bodies, const uint32_t *, size_t) { build(bodies); }

    void find(peer_pairs &pairs)
    {
        CGAL::box_self_intersection_d(
            boxes.begin(), boxes.end(),
            [&pairs](const Box &a, const Box &b) { peer_offer(&pairs, a.info(), b.info()); },
            CUTOFF, CGAL::Box_intersection_d::CLOSED);
    }
};

/*  One name, two dimensions. */
const peer_variant variants[] = {
    peer_make<Boxes<3>>("cgal", "box_self_intersection_d, cutoff 1000"),
    peer_make<Boxes<2>>("cgal", ""),
    {},
};

} // namespace

const peer_library peer_this = {CGAL_VERSION_STR, variants, nullptr};
