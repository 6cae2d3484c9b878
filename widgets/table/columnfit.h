// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace gpuledger::widgets {

// One column before its width is settled; pixels.
struct ColumnWish {
    int wanted = 0; // shows all of its content
    int least = 0; // below that it says nothing any more
    int most = 0; // more room would only pull the columns apart
    int stretch = 0; // share of the room that is left
};

// Widths that fill `room`: shrunk evenly down to `least` when there is too little, widened by `stretch` up to `most`
// when there is more. The sum is above `room` only where even the least widths are. Pure.
std::vector<int> fitColumns(const std::vector<ColumnWish> &wishes, int room);

} // namespace gpuledger::widgets
