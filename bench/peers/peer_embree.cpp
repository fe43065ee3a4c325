/*  Embree: rtcCollide of a scene with itself, over bounding boxes of user geometry in floats. It reports
    each pair twice, and each box with itself; one of the two is offered. One thread. */
#include "peer.h"

#include <embree3/rtcore.h>

#include <cstdio>
#include <cstdlib>

namespace {

void write_bounds(const RTCBoundsFunctionArguments *arguments)
{
    const auto *bodies = static_cast<const peer_bodies *>(arguments->geometryUserPtr);
    RTCBounds *out = arguments->bounds_o;
    float low[3], high[3];
    peer_float_box(bodies, arguments->primID, low, high);
    out->lower_x = low[0];
    out->lower_y = low[1];
    out->lower_z = low[2];
    out->upper_x = high[0];
    out->upper_y = high[1];
    out->upper_z = high[2];
}

void take_collisions(void *user, RTCCollision *collisions, unsigned int count)
{
    auto *pairs = static_cast<peer_pairs *>(user);
    for (unsigned int k = 0; k < count; k++)
        if (collisions[k].primID0 < collisions[k].primID1)
            peer_offer(pairs, collisions[k].primID0, collisions[k].primID1);
}

template <RTCBuildQuality quality> class BoxTree {
    RTCDevice device;
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;

    void commit()
    {
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
        if (rtcGetDeviceError(device) != RTC_ERROR_NONE) {
            std::puts("failed: embree reports an error");
            std::fflush(stdout);
            std::_Exit(1);
        }
    }

  public:
    static const char *refuse(const peer_bodies *bodies)
    {
        bool follows = quality == RTC_BUILD_QUALITY_REFIT;
        return follows && !bodies->moving ? "refitting is for moving bodies" : nullptr;
    }

    explicit BoxTree(const peer_bodies &) : device(rtcNewDevice("threads=1,set_affinity=0")) {}

    BoxTree(const BoxTree &) = delete;
    BoxTree &operator=(const BoxTree &) = delete;

    ~BoxTree()
    {
        reset();
        rtcReleaseDevice(device);
    }

    void reset()
    {
        if (geometry)
            rtcReleaseGeometry(geometry);
        if (scene)
            rtcReleaseScene(scene);
        geometry = nullptr;
        scene = nullptr;
    }

    void build(const peer_bodies &bodies)
    {
        scene = rtcNewScene(device);
        rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
        geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryBuildQuality(geometry, quality);
        rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned int>(bodies.count));
        rtcSetGeometryUserData(geometry, const_cast<peer_bodies *>(&bodies));
        rtcSetGeometryBoundsFunction(geometry, write_bounds, nullptr);
        rtcAttachGeometry(scene, geometry);
        commit();
    }

    void move(const peer_bodies &, const uint32_t *, size_t) { commit(); }

    void find(peer_pairs &pairs) { rtcCollide(scene, scene, take_collisions, &pairs); }
};

const peer_variant variants[] = {
    peer_make<BoxTree<RTC_BUILD_QUALITY_LOW>>("embree",
                                              "rtcCollide, build quality low, dynamic scene"),
    peer_make<BoxTree<RTC_BUILD_QUALITY_REFIT>>("embree-refit",
                                                "the same, refitted as bodies move"),
    {},
};

} // namespace

const peer_library peer_this = {RTC_VERSION_STRING, variants, nullptr};
