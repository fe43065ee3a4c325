/*  The options of a picture, shared by all commands that draw. */
#ifndef SCREE_PICTURE_OPTIONS_H
#define SCREE_PICTURE_OPTIONS_H

#include "common/options.h"
#include "scree/picture.h"

/*  Rows for the table of options of a command. */
#define SCREE_PICTURE_OPTIONS                                                                      \
    {"size", "WxH", "pixels; 1920x1080"},                                                          \
        {"field", "NAME", "the field that is shown as colour, see below; speed"},                  \
        {"range", "LOW,HIGH",                                                                      \
         "values of the first and last colour; default: smallest and largest"},                    \
        {"log", NULL, "logarithmic colours"},                                                      \
        {"wall-field", "NAME", "pressure, shear or wear colours meshes of walls; none"},           \
        {"wall-range", "LOW,HIGH", "of their colours; default: 0 to the largest"},                 \
        {"map", "NAME", "colour map: lagoon, ember, grey, balance, pebbles"},                      \
        {"walls", "HOW", "glass, cut, solid, lines or none; glass"},                               \
        {"shadows", "HOW", "soft, hard or none; soft"},                                            \
        {"background", "HOW", "dark or light; dark"}, {"title", "TEXT", "text at the upper left"}, \
        {"bare", NULL, "no colour bar, no time"},                                                  \
        {"flat", NULL, "orthographic, without perspective"},                                       \
        {"turn", "DEG", "azimuth of a fitted camera, degrees; 0: along +y; 34"},                   \
        {"rise", "DEG", "its elevation, degrees; 26"}, {"zoom", "X", "its magnification; 1"},      \
        {"eye", "X,Y,Z", "position of a camera, with --target"},                                   \
        {"target", "X,Y,Z", "the point it looks at"},                                              \
        {"up", "X,Y,Z", "its upward direction; 0,0,1"},                                            \
        {"angle", "DEG", "vertical field of view, degrees; 28.6"},                                 \
        {"height", "M", "visible height with --flat, metres"},                                     \
        {"light", "X,Y,Z", "direction towards the light; default: over the left shoulder"},        \
        {"clip", "A,B,C,D...", "leaves out bodies with A x + B y + C z > D; up to eight times"},   \
        {"samples", "N", "samples along each side of a pixel, 1 to 4; 2"},                         \
    {                                                                                              \
        "threads", "N", "all processors"                                                           \
    }

/*  Sets `def` from the options. Returns false with a message. Texts point into the arguments. */
bool scree_parse_picture(const scree_verb *verb, const scree_arguments *arguments,
                         scree_picture_def *def);

#endif
