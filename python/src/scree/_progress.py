"""How far a run is."""

import time


class Progress:
    """A line that is written over, or a function of the user."""

    def __init__(self, how):
        self.how, self.last = how, 0.0

    def __call__(self, world, share, is_end=False):
        if callable(self.how):
            self.how(world, share)
        elif self.how and (is_end or time.perf_counter() - self.last > 0.2):
            self.last = time.perf_counter()
            print(f"\r{100 * share:5.1f} %  t = {world.time:.6g} s, {world.count} bodies", end="\n" if is_end else "", flush=True)
