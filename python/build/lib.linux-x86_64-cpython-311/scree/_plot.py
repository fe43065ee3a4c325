"""Curves as SVG, without another library."""

from html import escape

import numpy as np

_COLOURS = ("#3b6fb6", "#c8553d", "#4a8f5a", "#8a63a6", "#b98a2e", "#4d9fa8")


class Svg(str):
    """An SVG picture as text, which a notebook shows."""

    def _repr_svg_(self):
        return str(self)

    def save(self, path):
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)


def _ticks(low, high):
    """Round numbers between two."""
    span = high - low
    step = 10.0 ** np.floor(np.log10(span / 4))
    step *= next(f for f in (1, 2, 5, 10) if span / (step * f) <= 6)
    return np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step


def _range(values):
    low, high = float(np.min(values)), float(np.max(values))
    return (low, high) if high > low else (low - 0.5 * (abs(low) or 1), high + 0.5 * (abs(high) or 1))


def plot(x, *y, labels=None, title="", xlabel="", ylabel="", width=640, height=400, marks=False):
    """Curves of arrays over an array, as an SVG that a notebook shows.

    >>> import scree
    >>> scree.plot([0, 1, 2], [0, 1, 4], title="squares").startswith("<svg")
    True
    """
    x = np.asarray(x, float)
    curves = [np.asarray(c, float) for c in (y or (x,))]
    if not y:
        x = np.arange(len(x), dtype=float)
    for curve in curves:
        if x.ndim != 1 or curve.shape != x.shape:
            raise ValueError(f"curves have the shapes {x.shape} and {curve.shape}, must be equal and one-dimensional")
    if not len(x):
        raise ValueError("there is nothing to plot")
    finite = [np.isfinite(x) & np.isfinite(c) for c in curves]
    if not any(f.any() for f in finite):
        raise ValueError("no number is finite")
    (x0, x1), (y0, y1) = _range(x[np.any(finite, axis=0)]), _range(np.concatenate([c[f] for c, f in zip(curves, finite)]))
    left, right, top, bottom = 70, width - 15, 30, height - 45

    def at(px, py):
        return left + (px - x0) / (x1 - x0) * (right - left), bottom - (py - y0) / (y1 - y0) * (bottom - top)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for tick in _ticks(x0, x1):
        px, _ = at(tick, y0)
        parts.append(f'<path d="M{px:.1f} {top}V{bottom}" stroke="#ddd"/><text x="{px:.1f}" y="{bottom + 16}" text-anchor="middle">{tick:.6g}</text>')
    for tick in _ticks(y0, y1):
        _, py = at(x0, tick)
        parts.append(f'<path d="M{left} {py:.1f}H{right}" stroke="#ddd"/><text x="{left - 6}" y="{py + 4:.1f}" text-anchor="end">{tick:.6g}</text>')
    for number, (curve, good) in enumerate(zip(curves, finite)):
        colour = _COLOURS[number % len(_COLOURS)]
        spots = [at(a, b) for a, b in zip(x[good], curve[good])]
        if marks:
            parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in spots]
        else:
            parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="' + " ".join(f"{a:.1f},{b:.1f}" for a, b in spots) + '"/>')
        if labels:
            parts.append(f'<text x="{right - 6}" y="{top + 16 * (number + 1)}" text-anchor="end" fill="{colour}">{escape(str(labels[number]))}</text>')
    parts.append(f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" fill="none" stroke="#666"/>')
    parts.append(f'<text x="{(left + right) / 2}" y="18" text-anchor="middle" font-weight="bold">{escape(title)}</text>')
    parts.append(f'<text x="{(left + right) / 2}" y="{height - 8}" text-anchor="middle">{escape(xlabel)}</text>')
    parts.append(f'<text transform="translate(14 {(top + bottom) / 2}) rotate(-90)" text-anchor="middle">{escape(ylabel)}</text></svg>')
    return Svg("\n".join(parts))
