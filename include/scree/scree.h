/*  scree/scree.h: all of scree's interface. Each header may also be included alone. */
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#include "scree/ambient.h"
#include "scree/base.h"
#include "scree/body.h"
#include "scree/bond.h"
#include "scree/cell.h"
#include "scree/chains.h"
#include "scree/checkpoint.h"
#include "scree/detect.h"
#include "scree/event.h"
#include "scree/fields.h"
#include "scree/force.h"
#include "scree/handle.h"
#include "scree/heat.h"
#include "scree/io.h"
#include "scree/joint.h"
#include "scree/law.h"
#include "scree/picture.h"
#include "scree/query.h"
#include "scree/shape.h"
#include "scree/sleep.h"
#include "scree/statistics.h"
#include "scree/view.h"
#include "scree/wall.h"
#include "scree/wear.h"
#include "scree/world.h"

#include "scree/deprecated.h"

#endif
