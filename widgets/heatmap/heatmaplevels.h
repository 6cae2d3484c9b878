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

// Where cells lie, in device pixels. A cell is as wide and as high as its pitch less its gap; below one pixel, many
// cells share one.
struct HeatmapView {
    QRect area; // what is drawn; (0, 0) is the top left corner of the cells that are in sight
    int width = 0; // of the cells that are in sight, from which right-to-left counts
    double left = 0; // of the first column, negative when scrolled
    double top = 0; // of the first row
    double columnWidth = 1;
    double rowPitch = 1;
    double rowGap = 0;
    int line = 0; // between columns, inside of each
    bool mirrored = false;
};

struct HeatmapColors {
    std::array<QRgb, 10> steps{};
    QRgb surface = 0;
    std::array<QRgb, 10> lines{}; // of the line between columns, on each step
    QImage hatch; // tile of what is missing, in RGB32
};

// The steps of a matrix, one byte a cell, with coarser copies for when many rows share a pixel, so that a frame costs
// as much as it has pixels, not cells. Immutable once made; any thread.
class HeatmapLevels {
public:
    explicit HeatmapLevels(const HeatmapData &data);

    int rows() const { return m_rows; }
    int columns() const { return m_columns; }
    bool hasBlanks() const { return m_hasBlanks; }
    bool hasParts() const { return m_hasParts; } // cells that are known only in part
    // Draws the cells of the view's area; what shows several cells is their mean, and missing where most of them are.
    QImage render(const HeatmapView &view, const HeatmapColors &colors) const;

private:
    static constexpr int kFold = 4; // rows of a level that make one of the next
    struct Level {
        int rows = 0;
        std::vector<std::uint8_t> codes; // kMissing, kBlank, or a value (of all cells behind it, where there are many)
        std::vector<std::uint8_t> known, missing; // share of those cells, 0 to 255; empty at the finest level
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
