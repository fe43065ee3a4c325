/*  Letters as strokes of a round pen. A glyph is a text of strokes, separated by semicolons; a stroke is a text of
    points: x as a hexadecimal digit, then y as a letter. The base line is at e, small letters extend up to o, capitals
    to s, descenders down to a. A point in parentheses is the corner of a quarter ellipse from the point before it to
    the one after. */
#include "picture/canvas.h"

#include <math.h>
#include <string.h>

#define CAPITAL 14.0 /* units: from e to s */
#define GAP 3.6      /* between letters */
#define SPACE 5.0    /* width of a blank */
#define PEN 0.95     /* half the width of a stroke */
#define FIRST '!'

static const char *const glyphs[] = {
    /* ! " # $ % & ' ( */
    "0s0i;0e0f",
    "0s0o;3s3o",
    "1e4s;5e8s;0i8i;1n9n",
    "8p(8s)4s(0s)0o(0l)4l(8l)8h(8e)4e(0e)0h;4t4c",
    "8s0e;2s(0s)0q(0o)2o(4o)4q(4s)2s;6i(4i)4g(4e)6e(8e)8g(8i)6i",
    "9e2p(1s)4s(6s)6p(6n)3l(0j)0h(0e)4e(8e)9j",
    "0s0p",
    "3t(0p)0k(0f)3b",
    /* ) * + , - . / */
    "0t(3p)3k(3f)0b",
    "3s3m;0r6n;6r0n",
    "0j8j;4f4n",
    "1f0b",
    "0j6j",
    "0e0f",
    "0c6s",
    /* 0 to 9 */
    "4s(0s)0l(0e)4e(8e)8l(8s)4s",
    "0p4s4e",
    "0o(0s)4s(8s)8o(8l)4i0e8e",
    "0p(1s)4s(7s)7o(7l)3l;4l(8l)8h(8e)4e(0e)0h",
    "6e6s0i8i",
    "7s1s0l(1n)4n(8n)8i(8e)4e(0e)0h",
    "7r(0s)0i(0e)4e(8e)8i(8m)4m(0m)0i",
    "0s8s3e",
    "4s(1s)1o(1l)4l(7l)7o(7s)4s;4l(0l)0h(0e)4e(8e)8h(8l)4l",
    "1f(8e)8o(8s)4s(0s)0o(0k)4k(8k)8o",
    /* : ; < = > ? @ */
    "0e0f;0m0n",
    "1f0b;1m1n",
    "7o0j7e",
    "0l8l;0h8h",
    "0o7j0e",
    "0p(0s)3s(7s)7p(7m)3j3i;3e3f",
    "9h9l(9n)7n(4n)4k(4h)7h(9h)9l;Ai(Ch)Cl(Cs)7s(0s)0l(0d)7d",
    /* A to Z */
    "0e5sAe;2i8i",
    "0e0s4s(7s)7o(7l)4l0l;4l(8l)8h(8e)4e0e",
    "9p(8s)5s(0s)0l(0e)5e(8e)9h",
    "0e0s4s(9s)9l(9e)4e0e",
    "8s0s0e8e;0l6l",
    "8s0s0e;0l6l",
    "9p(8s)5s(0s)0l(0e)5e(9e)9h9k5k",
    "0e0s;9e9s;0l9l",
    "0e0s",
    "5s5h(5e)2e(0e)0g",
    "0e0s;8s0j;3l8e",
    "0s0e7e",
    "0e0s5iAsAe",
    "0e0s9e9s",
    "5s(0s)0l(0e)5e(Ae)Al(As)5s",
    "0e0s4s(8s)8o(8k)4k0k",
    "5s(0s)0l(0e)5e(Ae)Al(As)5s;6hAd",
    "0e0s4s(8s)8o(8k)4k0k;4k8e",
    "8p(7s)4s(0s)0o(0l)4l(8l)8h(8e)4e(0e)0h",
    "0s8s;4s4e",
    "0s0i(0e)4e(8e)8i8s",
    "0s5eAs",
    "0s3e7sBeEs",
    "0s8e;8s0e",
    "0s4l8s;4l4e",
    "0s8s0e8e",
    /* [ \ ] ^ _ ` */
    "3t0t0b3b",
    "0s6c",
    "0t3t3b0b",
    "0o3s6o",
    "0c8c",
    "0s2p",
    /* a to z */
    "8o8e;8j(8o)4o(0o)0j(0e)4e(8e)8j",
    "0s0e;8j(8o)4o(0o)0j(0e)4e(8e)8j",
    "7m(6o)4o(0o)0j(0e)4e(6e)7g",
    "8s8e;8j(8o)4o(0o)0j(0e)4e(8e)8j",
    "0j8j(8o)4o(0o)0j(0e)4e(6e)7g",
    "5s(2s)2p2e;0o5o",
    "8o8d(8a)4a(1a)0c;8j(8o)4o(0o)0j(0e)4e(8e)8j",
    "0s0e;0j(0o)4o(7o)7k7e",
    "0o0e;0r0s",
    "3o3d(3a)0a;3r3s",
    "0s0e;6o0i;2k7e",
    "0s0e",
    "0o0e;0k(0o)3o(6o)6k6e;6k(6o)9o(Co)CkCe",
    "0o0e;0j(0o)4o(7o)7k7e",
    "8j(8o)4o(0o)0j(0e)4e(8e)8j",
    "0o0a;8j(8o)4o(0o)0j(0e)4e(8e)8j",
    "8o8a;8j(8o)4o(0o)0j(0e)4e(8e)8j",
    "0o0e;0j(0o)5o",
    "6n(5o)3o(0o)0l(0j)3j(7j)7g(7e)3e(0e)0g",
    "2s2h(2e)5e;0o5o",
    "0o0h(0e)3e(7e)7j;7o7e",
    "0o4e8o",
    "0o3e6o9eCo",
    "0o7e;7o0e",
    "0o4e;8o2a",
    "0o7o0e7e",
    /* { | } ~ */
    "4t(2t)2n(2k)0k(2k)2h(2b)4b",
    "0t0b",
    "0t(2t)2n(2k)4k(2k)2h(2b)0b",
    "0i(1m)4j(7g)8k",
};

static const char *glyph_of(char letter)
{
    int place = (int)(unsigned char)letter - FIRST;
    return place >= 0 && place < (int)SCREE_COUNT_OF(glyphs) ? glyphs[place] : "0e0o6o6e0e";
}

static double read_x(char c)
{
    return c <= '9' ? c - '0' : c - 'A' + 10;
}

static double glyph_width(char letter)
{
    double width = 0;
    if (letter == ' ')
        return SPACE;
    for (const char *c = glyph_of(letter); *c; c++)
        if ((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'F'))
            width = fmax(width, read_x(*c));
    return width;
}

double scree_text_width(const char *text, double size)
{
    double width = 0;
    for (const char *c = text; *c; c++)
        width += glyph_width(*c) + (c[1] ? GAP : 0);
    return width * size / CAPITAL;
}

/*  A pen drawing one glyph. */
typedef struct pen
{
    const scree_canvas *canvas;
    double origin[2], scale, at[2];
    const float *colour;
} pen;

static void pen_place(const pen *p, const char *point, double at[2])
{
    at[0] = p->origin[0] + read_x(point[0]) * p->scale;
    at[1] = p->origin[1] - (point[1] - 'e') * p->scale;
}

static void pen_line(pen *p, const double to[2])
{
    scree_canvas_line(p->canvas, p->at, to, PEN * p->scale, p->colour, 1);
    memcpy(p->at, to, sizeof p->at);
}

/*  A quarter of an ellipse is a conic with weight cos 45 at its corner. */
static void pen_arc(pen *p, const double corner[2], const double end[2])
{
    const double start[2] = {p->at[0], p->at[1]}, weight = 0.70710678118654752;
    for (int i = 1; i <= 8; i++) {
        double t = i / 8.0, a = (1 - t) * (1 - t), b = 2 * weight * t * (1 - t), c = t * t, to[2];
        for (int k = 0; k < 2; k++)
            to[k] = (a * start[k] + b * corner[k] + c * end[k]) / (a + b + c);
        pen_line(p, to);
    }
}

static void draw_glyph(pen *p, const char *glyph)
{
    bool down = false;
    double corner[2], to[2];
    for (const char *c = glyph; *c;) {
        if (*c == ';') {
            down = false;
            c++;
        } else if (*c == '(') {
            pen_place(p, c + 1, corner);
            pen_place(p, c + 4, to);
            pen_arc(p, corner, to);
            c += 6;
        } else {
            pen_place(p, c, to);
            if (down)
                pen_line(p, to);
            memcpy(p->at, to, sizeof to);
            down = true;
            c += 2;
        }
    }
}

void scree_canvas_text(const scree_canvas *canvas, const double at[2], double size,
                       const char *text, const float colour[3])
{
    pen p = {canvas, {at[0], at[1]}, size / CAPITAL, {0, 0}, colour};
    for (const char *c = text; *c; c++) {
        if (*c != ' ')
            draw_glyph(&p, glyph_of(*c));
        p.origin[0] += (glyph_width(*c) + GAP) * p.scale;
    }
}
