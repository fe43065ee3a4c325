"""What notebooks show of worlds: a table; the view that can be turned is in _viewer.py."""

from ._figures import html_table


def world_html(world):
    """The world in a few lines."""
    if world.closed:
        return html_table({"world": "closed"})
    totals, clock = world.totals(), world.clock()
    return html_table({
        "dimensions": world.dimensions, "bodies": totals.bodies, "walls": len(world.walls()), "time (s)": clock.time,
        "steps": clock.steps, "dt (s)": clock.dt, "mass (kg)": totals.mass, "coordination": totals.coordination,
        "kinetic energy (J)": world.energy().kinetic, "digest": f"{world.digest():016x}",
    })
