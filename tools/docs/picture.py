"""A drawing of labelled shapes, written as SVG: plain text, the same bytes on every machine."""

from xml.sax.saxutils import escape

INK, SOFT, LINE, GRID = "#333", "#666", "#8a94a3", "#d5dae1"
BODY, EDGE = "#dbe4f0", "#5b7290"
WARM, WARM_EDGE = "#f8d3b5", "#c2571a"  # what is reported, or asked about
COOL, COOL_EDGE = "#cfe8d5", "#2f7d4f"  # what is looked at
PALE = "#fff6dd"  # an area that a sentence is about


def number(x):
    """As short as a tenth of a pixel allows."""
    text = f"{x:.1f}"
    return text[:-2] if text.endswith(".0") else text


class Picture:
    """Shapes in pixels, y downwards. The title and the line below it say what is to be seen."""

    def __init__(self, title, line, height, width=860):
        self.width, self.height = width, height
        self.parts = [
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' "
            f"font-family='system-ui,sans-serif' font-size='12' fill='{INK}'>",
            f"<title>{escape(title)}</title>",
            f"<rect width='{width}' height='{height}' fill='#fff'/>",
        ]
        self.text(24, 30, title, size=17, weight=600)
        self.text(24, 50, line, fill=SOFT)

    def text(self, x, y, text, size=12, anchor=None, fill=None, weight=None):
        style = ""
        if size != 12:
            style += f" font-size='{size}'"
        if anchor:
            style += f" text-anchor='{anchor}'"
        if fill:
            style += f" fill='{fill}'"
        if weight:
            style += f" font-weight='{weight}'"
        self.parts.append(f"<text x='{number(x)}' y='{number(y)}'{style}>{escape(text)}</text>")

    def lines(self, x, y, texts, step=17, **style):
        for i, text in enumerate(texts):
            self.text(x, y + i * step, text, **style)

    def rect(self, x, y, width, height, fill="none", stroke=None, dash=None, wide=None):
        self.parts.append(
            f"<rect x='{number(x)}' y='{number(y)}' width='{number(width)}' "
            f"height='{number(height)}' fill='{fill}'{self.pen(stroke, dash, wide)}/>"
        )

    def circle(self, x, y, r, fill=BODY, stroke=EDGE, dash=None, wide=None):
        self.parts.append(
            f"<circle cx='{number(x)}' cy='{number(y)}' r='{number(r)}' "
            f"fill='{fill}'{self.pen(stroke, dash, wide)}/>"
        )

    def line(self, *points, stroke=LINE, dash=None, wide=None):
        path = "L".join(f"{number(x)} {number(y)}" for x, y in points)
        self.parts.append(f"<path d='M{path}' fill='none'{self.pen(stroke, dash, wide)}/>")

    def arrow(self, start, end, stroke=INK):
        (x, y), (u, v) = start, end
        length = ((u - x) ** 2 + (v - y) ** 2) ** 0.5
        a, b = (u - x) / length * 7, (v - y) / length * 7
        self.line(start, end, stroke=stroke)
        self.line((u - a - b / 2, v - b + a / 2), end, (u - a + b / 2, v - b - a / 2), stroke=stroke)

    @staticmethod
    def pen(stroke, dash, wide):
        pen = f" stroke='{stroke}'" if stroke else ""
        if dash:
            pen += f" stroke-dasharray='{dash}'"
        if wide:
            pen += f" stroke-width='{number(wide)}'"
        return pen

    def boxes(self, x, y, texts, width=26, height=26, marked=(), fill=WARM, stroke=WARM_EDGE):
        """A row of labelled boxes side by side: an array."""
        for i, text in enumerate(texts):
            at = x + i * width
            colours = (fill, stroke) if i in marked else ("#f6f8fa", LINE)
            self.rect(at, y, width, height, *colours)
            self.text(at + width / 2, y + height / 2 + 4, text, anchor="middle")

    def svg(self):
        return "\n".join(self.parts) + "\n</svg>\n"
