// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace gpuledger::widgets {

// The size constraints of a column, in pixels.
struct ColumnWish {
    int wanted = 0; // fits all of its content
    int least = 0; // below this width the content is meaningless
    int most = 0; // more room would only pull the columns apart
    int stretch = 0; // share of the remaining room
    bool firm = false; // narrower than wanted only once the others are as narrow as they may be
};

// Computes widths that fill `room`: shrunk evenly down to `least` if there is too little, widened by `stretch` up to
// `most` if there is more. The sum exceeds `room` only if the minimum widths do. Pure.
std::vector<int> fitColumns(const std::vector<ColumnWish> &wishes, int room);

} // namespace gpuledger::widgets
