/*  Bullet, in floats: GImpact, trees of boxes over triangles that have a margin; what meets is clipped to contact points, of
    which a manifold keeps few, so all are counted as they come. */
#include "mesh_peer.h"

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <LinearMath/btScalar.h>

#include <memory>
#include <vector>

namespace {

struct CountingResult : public btManifoldResult
{
    double count = 0;
    CountingResult(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b)
        : btManifoldResult(a, b)
    {
    }
    void addContactPoint(const btVector3 &, const btVector3 &, btScalar) override { count++; }
};

class Gimpact {
    const mesh_peer_case &two;
    std::vector<btScalar> vertices[2];
    std::vector<int> facets[2];
    std::unique_ptr<btTriangleIndexVertexArray> array[2];
    std::unique_ptr<btGImpactMeshShape> shape[2];
    btCollisionObject object[2];
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;

  public:
    explicit Gimpact(const mesh_peer_case &both) : two(both), dispatcher(&configuration)
    {
        btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
        for (int s = 0; s < 2; s++) {
            const mesh_peer_body &body = two.body[s];
            for (size_t v = 0; v < 3 * body.vertex_count; v++)
                vertices[s].push_back(static_cast<btScalar>(body.vertices[v]));
            for (size_t f = 0; f < 3 * body.facet_count; f++)
                facets[s].push_back(static_cast<int>(body.facets[f]));
        }
    }

    void build()
    {
        for (int s = 0; s < 2; s++) {
            array[s] = std::make_unique<btTriangleIndexVertexArray>(
                static_cast<int>(two.body[s].facet_count), facets[s].data(),
                static_cast<int>(3 * sizeof(int)), static_cast<int>(two.body[s].vertex_count),
                vertices[s].data(), static_cast<int>(3 * sizeof(btScalar)));
            shape[s] = std::make_unique<btGImpactMeshShape>(array[s].get());
            shape[s]->setMargin(static_cast<btScalar>(two.reach / 2));
            shape[s]->updateBound();
            object[s].setCollisionShape(shape[s].get());
        }
    }

    void move()
    {
        for (int s = 0; s < 2; s++) {
            const mesh_peer_body &body = two.body[s];
            btMatrix3x3 turn;
            for (int k = 0; k < 3; k++)
                turn[k].setValue(static_cast<btScalar>(body.turn[k][0]),
                                 static_cast<btScalar>(body.turn[k][1]),
                                 static_cast<btScalar>(body.turn[k][2]));
            object[s].setWorldTransform(
                btTransform(turn, btVector3(static_cast<btScalar>(body.place[0]),
                                            static_cast<btScalar>(body.place[1]),
                                            static_cast<btScalar>(body.place[2]))));
        }
    }

    double find()
    {
        btCollisionObjectWrapper a(nullptr, shape[0].get(), &object[0],
                                   object[0].getWorldTransform(), -1, -1);
        btCollisionObjectWrapper b(nullptr, shape[1].get(), &object[1],
                                   object[1].getWorldTransform(), -1, -1);
        btCollisionAlgorithm *algorithm =
            dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        CountingResult result(&a, &b);
        algorithm->processCollision(&a, &b, btDispatcherInfo(), &result);
        algorithm->~btCollisionAlgorithm();
        dispatcher.freeCollisionAlgorithm(algorithm);
        return result.count;
    }
};

const mesh_peer_variant variants[] = {
    mesh_peer_make<Gimpact>("bullet-gimpact", "contact points within margins"),
    {},
};

} // namespace

const mesh_peer_library mesh_peer_this = {PEER_VERSION, variants};
