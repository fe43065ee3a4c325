/*  FCL, in doubles: trees of oriented boxes or of swept spheres over the triangles. It tells the least distance, or whether
    surfaces cross. */
#include "mesh_peer.h"

#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/math/bv/RSS.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <memory>
#include <vector>

namespace {

template <class Volume> class Trees {
    const mesh_peer_case &two;

  protected:
    fcl::BVHModel<Volume> model[2];
    fcl::Transform3d pose[2];

  public:
    explicit Trees(const mesh_peer_case &both) : two(both) { move(); }

    void build()
    {
        for (int s = 0; s < 2; s++) {
            const mesh_peer_body &body = two.body[s];
            std::vector<fcl::Vector3d> vertices;
            std::vector<fcl::Triangle> facets;
            for (size_t v = 0; v < body.vertex_count; v++)
                vertices.emplace_back(body.vertices[3 * v], body.vertices[3 * v + 1],
                                      body.vertices[3 * v + 2]);
            for (size_t f = 0; f < body.facet_count; f++)
                facets.emplace_back(body.facets[3 * f], body.facets[3 * f + 1],
                                    body.facets[3 * f + 2]);
            model[s].beginModel();
            model[s].addSubModel(vertices, facets);
            model[s].endModel();
        }
    }

    void move()
    {
        for (int s = 0; s < 2; s++) {
            pose[s] = fcl::Transform3d::Identity();
            for (int k = 0; k < 3; k++) {
                pose[s].translation()[k] = two.body[s].place[k];
                for (int j = 0; j < 3; j++)
                    pose[s].linear()(k, j) = two.body[s].turn[k][j];
            }
        }
    }
};

template <class Volume> class Distance : public Trees<Volume> {
  public:
    using Trees<Volume>::Trees;
    double find()
    {
        fcl::DistanceRequestd request(true);
        fcl::DistanceResultd result;
        return fcl::distance(&this->model[0], this->pose[0], &this->model[1], this->pose[1],
                             request, result);
    }
};

class Crossing : public Trees<fcl::OBBRSSd> {
  public:
    using Trees<fcl::OBBRSSd>::Trees;
    double find()
    {
        fcl::CollisionRequestd request(1000, true);
        fcl::CollisionResultd result;
        return static_cast<double>(
            fcl::collide(&model[0], pose[0], &model[1], pose[1], request, result));
    }
};

const mesh_peer_variant variants[] = {
    mesh_peer_make<Distance<fcl::OBBRSSd>>("fcl-obbrss", "the least distance"),
    mesh_peer_make<Distance<fcl::RSSd>>("fcl-rss", "the least distance"),
    mesh_peer_make<Crossing>("fcl-collide", "triangles that cross"),
    {},
};

} // namespace

const mesh_peer_library mesh_peer_this = {FCL_VERSION, variants};
