// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QRect>
#include <QRgb>

#include <array>
#include <cstdint>
#include <vector>

namespace gpuledger::widgets {

struct HeatmapData;

// The position of the cells in device pixels. A cell is as wide and high as its pitch minus its gap; below one pixel,
// several cells share one.
struct HeatmapView {
    QRect area; // the area to draw; (0, 0) is the top left corner of the visible cells
    int width = 0; // of the visible cells; the origin of right-to-left layouts
    double left = 0; // of the first column, negative if scrolled
    double top = 0; // of the first row
    double columnWidth = 1;
    double rowPitch = 1;
    double rowGap = 0;
    int line = 0; // gap between columns, inside each column
    bool mirrored = false;
};

// The theme's colours for the cells.
struct HeatmapColors {
    std::array<QRgb, 10> steps{};
    QRgb surface = 0;
    std::array<QRgb, 10> lines{}; // of the line between columns, for each step
    QImage hatch; // tile for missing values, in RGB32
};

// The colour steps of a matrix, one byte per cell, with downscaled copies for when many rows share a pixel, so that the
// cost of a frame depends on its pixels, not on the cells. Immutable once created; any thread.
class HeatmapLevels {
public:
    explicit HeatmapLevels(const HeatmapData &data);

    int rows() const { return m_rows; }
    int columns() const { return m_columns; }
    bool hasBlanks() const { return m_hasBlanks; }
    bool hasParts() const { return m_hasParts; } // cells that are only partly observed
    // Draws the cells of the view's area; a pixel that covers several cells shows their mean, or missing if most of
    // them are missing.
    QImage render(const HeatmapView &view, const HeatmapColors &colors) const;

private:
    static constexpr int kFold = 4; // rows of a level that are combined into one of the next
    struct Level {
        int rows = 0;
        std::vector<std::uint8_t> codes; // kMissing, kBlank, or a value (the mean of all cells it stands for)
        std::vector<std::uint8_t> known, missing; // shares of those cells, 0 to 255; empty at the finest level
    };
    struct Sums;
    struct Line;
    class Hatch;
    struct Range { // of columns
        int from, to;
    };
    static Level folded(const Level &from, int columns);
    static void addRows(const Level &level, int columns, int first, int last, Range within, Sums &sums);
    void placeColumns(const HeatmapView &view, Line &line) const;
    static void paintLine(const HeatmapView &view, const HeatmapColors &colors, const Line &line, const QRgb *hatch,
                          QRgb *out);
    void fillLine(const HeatmapView &view, double from, double to, Sums &sums, Line &line) const;

    int m_rows = 0;
    int m_columns = 0;
    bool m_hasBlanks = false;
    bool m_hasParts = false;
    std::vector<Level> m_levels;
};

} // namespace gpuledger::widgets
