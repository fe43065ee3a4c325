/*  Embree, in floats: rtcCollide of two scenes, over the boxes of the triangles in the world, each widened by half of the
    reach. It names candidates; the triangles are left to the caller. One thread. */
#include "mesh_peer.h"

#include <embree3/rtcore.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

struct Side
{
    const mesh_peer_case *two;
    const mesh_peer_body *body;
};

void write_bounds(const RTCBoundsFunctionArguments *arguments)
{
    const auto *side = static_cast<const Side *>(arguments->geometryUserPtr);
    RTCBounds *out = arguments->bounds_o;
    double low[3], high[3];
    float lower[3], upper[3];
    mesh_peer_box(side->body, arguments->primID, low, high);
    for (int k = 0; k < 3; k++) {
        lower[k] = std::nextafter(static_cast<float>(low[k] - side->two->reach / 2), -INFINITY);
        upper[k] = std::nextafter(static_cast<float>(high[k] + side->two->reach / 2), INFINITY);
    }
    out->lower_x = lower[0];
    out->lower_y = lower[1];
    out->lower_z = lower[2];
    out->upper_x = upper[0];
    out->upper_y = upper[1];
    out->upper_z = upper[2];
}

void count_collisions(void *user, RTCCollision *, unsigned int count)
{
    *static_cast<double *>(user) += count;
}

/*  A body that moves is built again, or refitted. */
template <RTCBuildQuality quality> class BoxTrees {
    Side side[2];
    RTCDevice device;
    RTCScene scene[2] = {nullptr, nullptr};
    RTCGeometry geometry[2] = {nullptr, nullptr};

    void commit(int s)
    {
        rtcCommitGeometry(geometry[s]);
        rtcCommitScene(scene[s]);
        if (rtcGetDeviceError(device) != RTC_ERROR_NONE) {
            std::puts("failed: embree reports an error");
            std::fflush(stdout);
            std::_Exit(1);
        }
    }

  public:
    explicit BoxTrees(const mesh_peer_case &two)
        : side{{&two, &two.body[0]}, {&two, &two.body[1]}},
          device(rtcNewDevice("threads=1,set_affinity=0"))
    {
    }

    BoxTrees(const BoxTrees &) = delete;
    BoxTrees &operator=(const BoxTrees &) = delete;

    ~BoxTrees()
    {
        for (int s = 0; s < 2; s++) {
            rtcReleaseGeometry(geometry[s]);
            rtcReleaseScene(scene[s]);
        }
        rtcReleaseDevice(device);
    }

    void build()
    {
        for (int s = 0; s < 2; s++) {
            scene[s] = rtcNewScene(device);
            rtcSetSceneBuildQuality(scene[s], quality);
            rtcSetSceneFlags(scene[s], RTC_SCENE_FLAG_DYNAMIC);
            geometry[s] = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
            rtcSetGeometryBuildQuality(geometry[s], quality);
            rtcSetGeometryUserPrimitiveCount(geometry[s],
                                             static_cast<unsigned int>(side[s].body->facet_count));
            rtcSetGeometryUserData(geometry[s], &side[s]);
            rtcSetGeometryBoundsFunction(geometry[s], write_bounds, nullptr);
            rtcAttachGeometry(scene[s], geometry[s]);
            commit(s);
        }
    }

    void move() { commit(1); }

    double find()
    {
        double count = 0;
        rtcCollide(scene[0], scene[1], count_collisions, &count);
        return count;
    }
};

const mesh_peer_variant variants[] = {
    mesh_peer_make<BoxTrees<RTC_BUILD_QUALITY_MEDIUM>>("embree", "candidates: boxes that overlap"),
    mesh_peer_make<BoxTrees<RTC_BUILD_QUALITY_LOW>>("embree-low", "candidates: boxes that overlap"),
    {},
};

} // namespace

const mesh_peer_library mesh_peer_this = {RTC_VERSION_STRING, variants};
