// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmaplevels.h"

#include "widgets/heatmap/heatmapdata.h"
#include "widgets/theme/tokens.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gpuledger::widgets {

namespace {

constexpr std::uint8_t kMissingCode = 0, kBlankCode = 1, kFirstValue = 2;
constexpr int kCodesOfStep = 25; // finer than steps, so that repeated averaging stays in the right one
constexpr int kEverything = 255;
constexpr int kCoarsestRows = 512; // smaller levels are not reduced further

static_assert(kFirstValue + kHeatSteps * kCodesOfStep <= 256);

std::uint8_t codeOf(double value, double minimum, double maximum)
{
    const int step = heatStep(value, minimum, maximum);
    const double share = maximum > minimum ? std::clamp((value - minimum) / (maximum - minimum), 0.0, 1.0) : 0;
    const int fine = static_cast<int>(share * kHeatSteps * kCodesOfStep);
    return static_cast<std::uint8_t>(kFirstValue
                                     + std::clamp(fine, step * kCodesOfStep, (step + 1) * kCodesOfStep - 1));
}

// The code for a group of cells: their mean, unless more are missing than known.
std::uint8_t codeOfMany(std::uint32_t sum, std::uint32_t known, std::uint32_t missing)
{
    if (missing > known)
        return kMissingCode;
    return known == 0 ? kBlankCode : static_cast<std::uint8_t>(kFirstValue + sum / known);
}

int wrapped(int place, int size)
{
    return (place % size + size) % size;
}

} // namespace

// Sums over several rows, column by column: of values times weight, and of the weights.
struct HeatmapLevels::Sums {
    std::vector<std::uint32_t> values, known, missing;
    void reset(std::size_t columns)
    {
        values.assign(columns, 0);
        known.assign(columns, 0);
        missing.assign(columns, 0);
    }
};

// A line of pixels: their codes, and where columns end.
struct HeatmapLevels::Line {
    std::vector<std::uint8_t> codes;
    std::vector<int> first; // column of each pixel, one more than there are pixels
    std::vector<int> last; // column after those of the pixel
    int from = 0, to = 0; // visible columns
    bool hasMissing = false;
};

// The tile for missing values, as wide as the drawn area; it moves with the cells.
class HeatmapLevels::Hatch {
public:
    Hatch(const QImage &tile, const HeatmapView &view)
        : m_top(view.area.top() - qRound(view.top))
        , m_height(std::max(1, tile.height()))
        , m_width(static_cast<std::size_t>(view.area.width()))
        , m_pixels(m_width * static_cast<std::size_t>(m_height))
    {
        const int left = view.area.left() - (view.mirrored ? 0 : qRound(view.left));
        for (int y = 0; y < tile.height(); ++y) {
            const auto *const source = reinterpret_cast<const QRgb *>(tile.constScanLine(y));
            for (std::size_t x = 0; x < m_width; ++x)
                m_pixels[static_cast<std::size_t>(y) * m_width + x] =
                    source[wrapped(left + static_cast<int>(x), tile.width())];
        }
    }
    const QRgb *line(int y) const
    {
        return m_pixels.data() + static_cast<std::size_t>(wrapped(m_top + y, m_height)) * m_width;
    }

private:
    int m_top;
    int m_height;
    std::size_t m_width;
    std::vector<QRgb> m_pixels;
};

HeatmapLevels::HeatmapLevels(const HeatmapData &data)
    : m_rows(data.rowCount())
    , m_columns(data.columnCount())
{
    Level finest;
    finest.rows = m_rows;
    finest.codes.resize(static_cast<std::size_t>(m_rows) * static_cast<std::size_t>(m_columns));
    std::uint8_t *code = finest.codes.data();
    for (int row = 0; row < m_rows; ++row) {
        for (int column = 0; column < m_columns; ++column, ++code) {
            const double value = data.value(row, column);
            const bool blank = std::isnan(value) && data.isBlank(row, column);
            m_hasBlanks = m_hasBlanks || blank;
            m_hasParts = m_hasParts || (data.known && data.isPart(row, column));
            *code = blank ? kBlankCode : std::isnan(value) ? kMissingCode : codeOf(value, data.minimum, data.maximum);
        }
    }
    m_levels.push_back(std::move(finest));
    while (m_levels.back().rows > kCoarsestRows)
        m_levels.push_back(folded(m_levels.back(), m_columns));
}

HeatmapLevels::Level HeatmapLevels::folded(const Level &from, int columns)
{
    Level to;
    to.rows = (from.rows + kFold - 1) / kFold;
    const auto width = static_cast<std::size_t>(columns);
    const auto cells = static_cast<std::size_t>(to.rows) * width;
    to.codes.resize(cells);
    to.known.resize(cells);
    to.missing.resize(cells);
    const auto whole = static_cast<std::uint32_t>(from.known.empty() ? kFold : kFold * kEverything);
    Sums sums;
    for (int row = 0; row < to.rows; ++row) {
        sums.reset(width);
        addRows(from, columns, row * kFold, std::min(from.rows, (row + 1) * kFold), {0, columns}, sums);
        for (std::size_t c = 0; c < width; ++c) {
            const std::size_t at = static_cast<std::size_t>(row) * width + c;
            // The mean is kept even if most cells are missing, because coarser levels weigh it again.
            to.codes[at] =
                sums.known[c] ? static_cast<std::uint8_t>(kFirstValue + sums.values[c] / sums.known[c]) : kBlankCode;
            to.known[at] = static_cast<std::uint8_t>((sums.known[c] * kEverything + whole - 1) / whole);
            to.missing[at] = static_cast<std::uint8_t>((sums.missing[c] * kEverything + whole - 1) / whole);
        }
    }
    return to;
}

void HeatmapLevels::addRows(const Level &level, int columns, int first, int last, Range within, Sums &sums)
{
    const auto width = static_cast<std::size_t>(within.to - within.from);
    std::uint32_t *const values = sums.values.data();
    std::uint32_t *const known = sums.known.data();
    std::uint32_t *const missing = sums.missing.data();
    for (int row = first; row < last; ++row) {
        const std::size_t begin =
            static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(within.from);
        const std::uint8_t *const code = level.codes.data() + begin;
        if (level.known.empty()) {
            for (std::size_t c = 0; c < width; ++c) {
                const std::uint32_t isKnown = code[c] >= kFirstValue;
                values[c] += isKnown * (code[c] - kFirstValue);
                known[c] += isKnown;
                missing[c] += code[c] == kMissingCode;
            }
            continue;
        }
        const std::uint8_t *const knownShare = level.known.data() + begin;
        const std::uint8_t *const missingShare = level.missing.data() + begin;
        for (std::size_t c = 0; c < width; ++c) {
            values[c] += std::uint32_t{knownShare[c]} * (code[c] - kFirstValue) * (knownShare[c] > 0);
            known[c] += knownShare[c];
            missing[c] += missingShare[c];
        }
    }
}

// The pixels of the rows [from, to), which are fractional if rows are lower than a pixel.
void HeatmapLevels::fillLine(const HeatmapView &view, double from, double to, Sums &sums, Line &line) const
{
    int rowsOfOne = 1;
    std::size_t level = 0;
    while (level + 1 < m_levels.size() && to - from >= rowsOfOne * kFold) {
        ++level;
        rowsOfOne *= kFold;
    }
    const Level &rows = m_levels[level];
    const int first = std::clamp(static_cast<int>(from / rowsOfOne), 0, rows.rows - 1);
    const int last = std::clamp(static_cast<int>(to / rowsOfOne), first + 1, rows.rows);
    line.hasMissing = false;
    const std::size_t pixels = line.codes.size();
    if (last == first + 1 && level == 0 && view.columnWidth >= 1) {
        const std::uint8_t *const codes =
            rows.codes.data() + static_cast<std::size_t>(first) * static_cast<std::size_t>(m_columns);
        for (std::size_t x = 0; x < pixels; ++x) {
            const int column = line.first[x];
            line.codes[x] = column >= 0 && column < m_columns ? codes[column] : kBlankCode;
            line.hasMissing = line.hasMissing || line.codes[x] == kMissingCode;
        }
        return;
    }
    sums.reset(static_cast<std::size_t>(line.to - line.from));
    addRows(rows, m_columns, first, last, {line.from, line.to}, sums);
    for (std::size_t x = 0; x < pixels; ++x) {
        std::uint32_t values = 0, known = 0, missing = 0;
        const int end = std::min(line.last[x], line.to);
        for (int column = std::max(line.from, line.first[x]); column < end; ++column) {
            const auto c = static_cast<std::size_t>(column - line.from);
            values += sums.values[c];
            known += sums.known[c];
            missing += sums.missing[c];
        }
        line.codes[x] = codeOfMany(values, known, missing);
        line.hasMissing = line.hasMissing || line.codes[x] == kMissingCode;
    }
}

void HeatmapLevels::placeColumns(const HeatmapView &view, Line &line) const
{
    const auto pixels = static_cast<std::size_t>(view.area.width());
    const bool wide = view.columnWidth >= 1;
    const auto columnAt = [&](double x) {
        const double place = view.mirrored ? view.width - x : x;
        return static_cast<int>(std::floor((place - view.left) / view.columnWidth));
    };
    line.codes.resize(pixels);
    line.first.resize(pixels + 1);
    line.last.resize(pixels + 1);
    for (std::size_t x = 0; x <= pixels; ++x) {
        const double at = view.area.left() + static_cast<double>(x);
        // A pixel of a column at least one pixel wide shows the column at its centre; of narrower ones, all columns
        // that start in it.
        line.first[x] = columnAt(wide ? at + 0.5 : view.mirrored ? at + 1 : at);
        line.last[x] = wide ? line.first[x] + 1 : std::max(line.first[x] + 1, columnAt(view.mirrored ? at : at + 1));
    }
    const auto [least, most] = std::minmax(line.first.front(), line.last[pixels]);
    line.from = std::clamp(std::min(least, line.first[pixels]), 0, m_columns);
    line.to = std::clamp(std::max(most, line.last.front()), line.from, m_columns);
}

QImage HeatmapLevels::render(const HeatmapView &view, const HeatmapColors &colors) const
{
    QImage image(view.area.size(), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    Line line;
    placeColumns(view, line);
    const Hatch hatch(colors.hatch, view);
    const std::size_t pixels = line.codes.size();
    const bool high = view.rowPitch >= 1;
    Sums sums;
    const QRgb *before = nullptr; // of the same row
    int rowBefore = -1;
    for (int y = 0; y < view.area.height(); ++y) {
        auto *const out = reinterpret_cast<QRgb *>(image.scanLine(y));
        const double top = view.area.top() + y - view.top;
        const double row = high ? std::floor((top + 0.5) / view.rowPitch) : top / view.rowPitch;
        const bool gap = high && top + 0.5 - row * view.rowPitch >= view.rowPitch - view.rowGap;
        if (gap || row < 0 || row >= m_rows || m_columns == 0) {
            std::fill_n(out, pixels, colors.surface);
            continue;
        }
        const bool same = high && static_cast<int>(row) == rowBefore;
        if (!same)
            fillLine(view, row, high ? row + 1 : (top + 1) / view.rowPitch, sums, line);
        if (same && !line.hasMissing)
            std::memcpy(out, before, pixels * sizeof(QRgb));
        else
            paintLine(view, colors, line, hatch.line(y), out);
        before = out;
        rowBefore = high ? static_cast<int>(row) : -1;
    }
    return image;
}

void HeatmapLevels::paintLine(const HeatmapView &view, const HeatmapColors &colors, const Line &line, const QRgb *hatch,
                              QRgb *out)
{
    for (std::size_t x = 0; x < line.codes.size(); ++x) {
        const std::uint8_t code = line.codes[x];
        if (code < kFirstValue) {
            out[x] = code == kMissingCode ? hatch[x] : colors.surface;
            continue;
        }
        const auto step = static_cast<std::size_t>((code - kFirstValue) / kCodesOfStep);
        const bool edge = view.line > 0 && line.first[x + 1] != line.first[x];
        out[x] = edge ? colors.lines[step] : colors.steps[step];
    }
}

} // namespace gpuledger::widgets
