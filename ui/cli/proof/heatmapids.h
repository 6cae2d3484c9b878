// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap/heatmap.h"
#include "ui/cli/program/jsonrows.h"

#include <string>
#include <vector>

namespace gpuledger::cli {

// Adds "figures" to the JSON rows of a heat map, as addFigures() does to other answers: the ids of insight::Figure for
// its cells, of which an answer may have hundreds of thousands. Each id is composed from the text of one id of its row.
// One thread.
class HeatmapIds {
public:
    // Both must outlive this object.
    HeatmapIds(const insight::Heatmap &map, const insight::HeatmapQuery &query);

    // `json` was made from that row of the heat map: its "overall" and its "cells" get ids. A cell without a value has
    // no id for it, and time that was not fetched has none at all.
    void addTo(Json &json, const insight::HeatmapRow &row) const;

private:
    struct IdText { // the text after the measure, around the value of `bin`
        std::string before, after;
    };
    IdText textOf(const std::string &key) const;
    void put(Json &cell, const insight::HeatmapCell &of, const std::string &where) const;

    const insight::Heatmap &m_map;
    const insight::HeatmapQuery &m_query;
    std::vector<std::string> m_bins; // as ids write them
};

} // namespace gpuledger::cli
