// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/documents/workbook.h"

#include "app/base/money/minorunit.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>
#include <xlsxwriter.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace gpuledger::reports {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kLongestCell = 8000; // bytes; a cell can have 32,767 letters
constexpr std::size_t kMostRows = 1'048'576; // of a sheet

// The library formats numbers by the locale of the thread.
class PlainNumbers {
public:
    PlainNumbers()
        : m_plain(newlocale(LC_ALL_MASK, "C", nullptr))
        , m_before(uselocale(m_plain))
    {
    }
    ~PlainNumbers()
    {
        uselocale(m_before);
        freelocale(m_plain);
    }
    PlainNumbers(const PlainNumbers &) = delete;
    PlainNumbers &operator=(const PlainNumbers &) = delete;

private:
    locale_t m_plain, m_before;
};

lxw_datetime excelDay(base::Day day)
{
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day.number}}};
    return {
        int{date.year()}, static_cast<int>(unsigned{date.month()}), static_cast<int>(unsigned{date.day()}), 0, 0, 0};
}

// With the blanks that it begins with: YAML needs them.
std::string indentedLine(const std::string &line, std::size_t longest)
{
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    return std::string(std::min(blanks, longest), ' ') + base::printableLine(line, longest);
}

class PlainBook {
public:
    explicit PlainBook(lxw_workbook *book)
        : m_book(book)
        , m_bold(workbook_add_format(book))
        , m_title(workbook_add_format(book))
        , m_day(workbook_add_format(book))
        , m_number(workbook_add_format(book))
        , m_lines(workbook_add_format(book))
    {
        format_set_bold(m_bold);
        format_set_bold(m_title);
        format_set_font_size(m_title, 14);
        format_set_num_format(m_day, "yyyy-mm-dd");
        format_set_num_format(m_number, "#,##0.0");
        format_set_text_wrap(m_lines);
        format_set_align(m_lines, LXW_ALIGN_VERTICAL_TOP);
    }

    void write(const WorkbookSheet &from)
    {
        lxw_worksheet *sheet = workbook_add_worksheet(m_book, from.name.c_str());
        for (std::size_t i = 0; i < from.columns.size(); ++i)
            worksheet_set_column(sheet, columnAt(i), columnAt(i), from.columns[i].width, nullptr);
        worksheet_set_landscape(sheet);
        worksheet_fit_to_pages(sheet, 1, 0);
        lxw_row_t row = 0;
        text(sheet, row++, 0, from.title, m_title);
        for (const std::string &note : from.notes)
            text(sheet, row++, 0, note);
        ++row;
        for (std::size_t i = 0; i < from.columns.size(); ++i)
            text(sheet, row, columnAt(i), from.columns[i].title, m_bold);
        const lxw_row_t titles = row++;
        worksheet_freeze_panes(sheet, row, 0);
        for (const auto &cells : from.rows) {
            for (std::size_t i = 0; i < cells.size(); ++i)
                cell(sheet, row, columnAt(i), cells[i], i < from.columns.size() && from.columns[i].hasLines);
            ++row;
        }
        if (!from.rows.empty() && !from.columns.empty())
            worksheet_autofilter(sheet, titles, 0, row - 1, columnAt(from.columns.size() - 1));
    }

private:
    static lxw_col_t columnAt(std::size_t i) { return static_cast<lxw_col_t>(i); }
    static void text(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column, const std::string &any,
                     lxw_format *format = nullptr)
    {
        worksheet_write_string(sheet, row, column, base::printableLine(any, kLongestCell).c_str(), format);
    }
    void lines(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column, const std::string &any)
    {
        std::string all;
        for (std::size_t begin = 0; begin < any.size() && all.size() < kLongestCell;) {
            const std::size_t end = std::min(any.find('\n', begin), any.size());
            all += (all.empty() ? "" : "\n") + indentedLine(any.substr(begin, end - begin), kLongestCell - all.size());
            begin = end + 1;
        }
        worksheet_write_string(sheet, row, column, all.c_str(), m_lines);
    }
    void cell(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column, const WorkbookCell &value, bool hasLines)
    {
        if (const auto *words = std::get_if<std::string>(&value); words && !words->empty()) {
            if (hasLines)
                lines(sheet, row, column, *words);
            else
                text(sheet, row, column, *words);
        }
        if (const auto *amount = std::get_if<base::Money>(&value))
            worksheet_write_number(sheet, row, column, amount->toDouble(), moneyFormat(amount->currency()));
        if (const auto *number = std::get_if<double>(&value))
            worksheet_write_number(sheet, row, column, *number, m_number);
        if (const auto *day = std::get_if<base::Day>(&value)) {
            lxw_datetime date = excelDay(*day);
            worksheet_write_datetime(sheet, row, column, &date, m_day);
        }
    }
    lxw_format *moneyFormat(base::Currency currency)
    {
        lxw_format *&format = m_money[currency];
        if (!format) {
            std::string layout = "#,##0";
            if (const int digits = base::minorDigits(currency); digits > 0)
                layout += '.' + std::string(static_cast<std::size_t>(digits), '0');
            if (!currency.code().empty())
                layout += " [$" + std::string(currency.code()) + ']';
            format = workbook_add_format(m_book);
            format_set_num_format(format, layout.c_str());
        }
        return format;
    }

    lxw_workbook *m_book; // owns the formats
    lxw_format *m_bold, *m_title, *m_day, *m_number, *m_lines;
    std::map<base::Currency, lxw_format *> m_money;
};

} // namespace

Result<std::string> toXlsx(const std::vector<WorkbookSheet> &sheets, base::UtcTime made)
{
    for (const WorkbookSheet &sheet : sheets) {
        if (sheet.rows.size() + sheet.notes.size() + 3 > kMostRows)
            return base::fail(ErrorCode::InvalidArgument,
                              "a workbook can't hold " + std::to_string(sheet.rows.size()) + " rows in a sheet",
                              "write the " + std::to_string(sheet.rows.size()) + " rows as CSV");
    }
    return workbookBytes(made, [&](lxw_workbook *book) {
        PlainBook plain(book);
        for (const WorkbookSheet &sheet : sheets)
            plain.write(sheet);
    });
}

Result<std::string> workbookBytes(base::UtcTime made, const std::function<void(lxw_workbook *)> &fill)
{
    std::error_code ec;
    std::string name = (std::filesystem::temp_directory_path(ec) / "gpuledger-XXXXXX").string();
    const int fd = mkstemp(name.data()); // mode 0600
    if (fd < 0)
        return base::fail(ErrorCode::StorageReadOnly, "can't create a temporary file: " + std::string(strerror(errno)),
                          base::Remedy::SetTmpdir);
    close(fd);
    const PlainNumbers plainNumbers;
    lxw_workbook *book = workbook_new(name.c_str());
    lxw_error error = LXW_ERROR_MEMORY_MALLOC_FAILED;
    if (book) {
        // Workbooks of the same figures must have the same bytes.
        lxw_doc_properties properties{};
        properties.created = static_cast<time_t>(base::toUnix(made));
        workbook_set_properties(book, &properties);
        fill(book);
        error = workbook_close(book); // frees it
    }
    std::ifstream in(name, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const bool isRead = !in.bad() && !bytes.empty();
    unlink(name.c_str());
    if (error == LXW_NO_ERROR && isRead)
        return bytes;
    return base::fail(ErrorCode::StorageFull, std::string("can't create the workbook: ") + lxw_strerror(error),
                      base::Remedy::FreeSpaceForTemporaryFiles);
}

} // namespace gpuledger::reports
