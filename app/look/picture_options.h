/*  The options of a picture, shared by all commands that draw. */
#ifndef SCREE_PICTURE_OPTIONS_H
#define SCREE_PICTURE_OPTIONS_H

#include "common/options.h"
#include "scree/picture.h"

/*  Rows for the table of options of a command. */
#define SCREE_PICTURE_OPTIONS                                                                      \
    {"size", "WxH", "pixels; 1920x1080"}, {"field", "NAME", "what colour is: see below; speed"},   \
        {"range", "LOW,HIGH",                                                                      \
         "values of the first and last colour; default: smallest and largest"},                    \
        {"log", NULL, "colours go by the logarithm"},                                              \
        {"map", "NAME", "of colours: lagoon, ember, grey, balance, pebbles"},                      \
        {"walls", "HOW", "glass, cut, solid, lines or none; glass"},                               \
        {"shadows", "HOW", "soft, hard or none; soft"},                                            \
        {"background", "HOW", "dark or light; dark"}, {"title", "TEXT", "on the upper left"},      \
        {"bare", NULL, "no colour bar, no time"},                                                  \
        {"flat", NULL, "orthographic, without perspective"},                                       \
        {"turn", "DEG", "a fitted camera looks along +y at 0; 34"},                                \
        {"rise", "DEG", "and is so far above; 26"}, {"zoom", "X", "and so much nearer; 1"},        \
        {"eye", "X,Y,Z", "a camera that is placed, with --target"},                                \
        {"target", "X,Y,Z", "what it looks at"}, {"up", "X,Y,Z", "what is up for it; 0,0,1"},      \
        {"angle", "DEG", "that the picture's height takes; 28.6"},                                 \
        {"height", "M", "or with --flat, metres"},                                                 \
        {"light", "X,Y,Z", "where light comes from; over the eye's left shoulder"},                \
        {"clip", "A,B,C,D...", "leaves out bodies with A x + B y + C z > D; up to eight times"},   \
        {"samples", "N", "along each side of a pixel, 1 to 4; 2"},                                 \
    {                                                                                              \
        "threads", "N", "all processors"                                                           \
    }

/*  Sets `def` from the options. Returns false with a message. Texts point into the arguments. */
bool scree_parse_picture(const scree_verb *verb, const scree_arguments *arguments,
                         scree_picture_def *def);

#endif
