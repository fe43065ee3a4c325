/*  ODE, in doubles: OPCODE's trees over the triangles. It tells contacts of surfaces that cross, and knows no margins. */
#include "mesh_peer.h"

#include <ode/ode.h>

#include <vector>

namespace {

class Trimeshes {
    const mesh_peer_case &two;
    std::vector<dTriIndex> facets[2];
    dTriMeshDataID data[2] = {nullptr, nullptr};
    dGeomID geom[2] = {nullptr, nullptr};
    std::vector<dContactGeom> contacts;

  public:
    explicit Trimeshes(const mesh_peer_case &both) : two(both), contacts(1000)
    {
        dInitODE();
        for (int s = 0; s < 2; s++)
            for (size_t f = 0; f < 3 * two.body[s].facet_count; f++)
                facets[s].push_back(static_cast<dTriIndex>(two.body[s].facets[f]));
    }

    Trimeshes(const Trimeshes &) = delete;
    Trimeshes &operator=(const Trimeshes &) = delete;

    ~Trimeshes()
    {
        for (int s = 0; s < 2; s++) {
            dGeomDestroy(geom[s]);
            dGeomTriMeshDataDestroy(data[s]);
        }
        dCloseODE();
    }

    void build()
    {
        for (int s = 0; s < 2; s++) {
            data[s] = dGeomTriMeshDataCreate();
            dGeomTriMeshDataBuildDouble(
                data[s], two.body[s].vertices, static_cast<int>(3 * sizeof(double)),
                static_cast<int>(two.body[s].vertex_count), facets[s].data(),
                static_cast<int>(facets[s].size()), static_cast<int>(3 * sizeof(dTriIndex)));
            geom[s] = dCreateTriMesh(nullptr, data[s], nullptr, nullptr, nullptr);
        }
    }

    void move()
    {
        for (int s = 0; s < 2; s++) {
            const mesh_peer_body &body = two.body[s];
            dMatrix3 turn = {0};
            for (int k = 0; k < 3; k++)
                for (int j = 0; j < 3; j++)
                    turn[4 * k + j] = body.turn[k][j];
            dGeomSetPosition(geom[s], body.place[0], body.place[1], body.place[2]);
            dGeomSetRotation(geom[s], turn);
        }
    }

    double find()
    {
        return dCollide(geom[0], geom[1], static_cast<int>(contacts.size()), contacts.data(),
                        sizeof(dContactGeom));
    }
};

const mesh_peer_variant variants[] = {
    mesh_peer_make<Trimeshes>("ode", "contacts of surfaces that cross"),
    {},
};

} // namespace

const mesh_peer_library mesh_peer_this = {PEER_VERSION, variants};
