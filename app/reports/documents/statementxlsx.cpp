// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/text.h"
#include "app/reports/documents/documents.h"
#include "app/reports/documents/workbook.h"

#include <xlsxwriter.h>

#include <cctype>
#include <cstring>
#include <set>

namespace gpuledger::reports {

using base::Money;
using base::Result;

namespace {

constexpr std::size_t kLongestSheetName = 200; // bytes
constexpr std::size_t kLongestSheet = 28; // bytes: 31 letters are allowed, and a number may follow
constexpr double kNameWidth = 34, kFigureWidth = 16; // letters

// A sheet name must not contain []:*?/\ or start or end with an apostrophe, and must differ from others by more than
// case.
class SheetNames {
public:
    std::string next(const std::string &wanted)
    {
        std::string name;
        for (const char c : base::printable(wanted, kLongestSheet))
            name += std::strchr("[]:*?/\\'", c) ? '_' : c;
        if (name.empty())
            name = "_";
        std::string unique = name;
        for (int i = 2; !m_taken.insert(folded(unique)).second; ++i)
            unique = name + ' ' + std::to_string(i);
        return unique;
    }

private:
    static std::string folded(std::string text)
    {
        for (char &c : text)
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        return text;
    }
    std::set<std::string> m_taken{"history"}; // reserved by Excel
};

class Book {
public:
    Book(const Statement &statement, lxw_workbook *book)
        : m_statement(statement)
        , m_book(book)
        , m_bold(workbook_add_format(book))
        , m_title(workbook_add_format(book))
        , m_money(workbook_add_format(book))
        , m_sum(workbook_add_format(book))
        , m_hours(workbook_add_format(book))
        , m_share(workbook_add_format(book))
    {
        format_set_bold(m_bold);
        format_set_bold(m_title);
        format_set_font_size(m_title, 14);
        format_set_num_format(m_money, "#,##0.00");
        format_set_num_format(m_sum, "#,##0.00");
        format_set_bold(m_sum);
        format_set_num_format(m_hours, "#,##0.0");
        format_set_num_format(m_share, "0.0%");
    }

    void write()
    {
        for (const CurrencyStatement &currency : m_statement.currencies) {
            const std::string code(currency.currency.code());
            writeAll(currency, code);
            writeAdjustments(currency, code);
            for (const TeamStatement &team : currency.teams)
                writeTeam(team, code);
        }
        if (m_statement.savings)
            writeSavings(*m_statement.savings);
        if (!m_statement.budgets.empty())
            writeBudgets();
        if (m_statement.currencies.empty())
            text(add("Showback"), 0, 0, "No figure is stored for " + insight::toString(m_statement.month) + '.');
    }

private:
    lxw_worksheet *add(const std::string &wanted)
    {
        lxw_worksheet *sheet = workbook_add_worksheet(m_book, m_names.next(wanted).c_str());
        worksheet_set_column(sheet, 0, 1, kNameWidth, nullptr);
        worksheet_set_column(sheet, 2, 6, kFigureWidth, nullptr);
        worksheet_set_landscape(sheet);
        worksheet_fit_to_pages(sheet, 1, 0);
        return sheet;
    }

    // Always as text: never a formula, an address or a number.
    static void text(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column, const std::string &safe,
                     lxw_format *format = nullptr)
    {
        worksheet_write_string(sheet, row, column, safe.c_str(), format);
    }
    void money(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column, const Money &amount) const
    {
        worksheet_write_number(sheet, row, column, amount.toDouble(), m_money);
    }
    void hours(lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column, const std::optional<base::GpuTime> &time) const
    {
        if (time)
            worksheet_write_number(sheet, row, column, time->hours(), m_hours);
    }
    // The sum of the rows above, with the value for programs that do not calculate.
    void sum(lxw_worksheet *sheet, lxw_row_t first, lxw_row_t row, lxw_col_t column, const Money &value) const
    {
        const std::string letter(1, static_cast<char>('A' + column));
        const std::string formula =
            "=SUM(" + letter + std::to_string(first + 1) + ':' + letter + std::to_string(row) + ')';
        worksheet_write_formula_num(sheet, row, column, formula.c_str(), m_sum, value.toDouble());
    }
    void titles(lxw_worksheet *sheet, lxw_row_t row, std::initializer_list<const char *> names) const
    {
        lxw_col_t column = 0;
        for (const char *name : names)
            text(sheet, row, column++, name, m_bold);
    }

    void writeAll(const CurrencyStatement &currency, const std::string &code)
    {
        lxw_worksheet *sheet = add("All teams " + code);
        text(sheet, 0, 0, "GPU showback of " + insight::toString(m_statement.month) + ", " + code, m_title);
        text(sheet, 1, 0,
             viewName(m_statement.view) + ", days in UTC, made " + base::toRfc3339(m_statement.made)
                 + (m_statement.isOver ? "" : "; the month is not over") + "; " + statusText(m_statement.status));
        if (m_statement.isCut())
            text(sheet, 2, 0, cutText(m_statement), m_bold);
        worksheet_freeze_panes(sheet, 4, 0);
        titles(sheet, 3, {"Team", "", "Billed", "Estimated", "Cost", "Idle", "GPU-hours"});
        constexpr lxw_row_t kFirst = 4;
        lxw_row_t row = kFirst;
        for (const TeamStatement &team : currency.teams) {
            text(sheet, row, 0, teamName(team.team));
            money(sheet, row, 2, team.cost);
            money(sheet, row, 3, team.estimated);
            const std::string number = std::to_string(row + 1);
            worksheet_write_formula_num(sheet, row, 4, ("=C" + number + "+D" + number).c_str(), m_money,
                                        team.total().toDouble());
            money(sheet, row, 5, team.idle);
            hours(sheet, row, 6, team.gpuTime);
            ++row;
        }
        if (!m_statement.team.empty() && row > kFirst) {
            const TeamStatement &shown = currency.teams.front();
            const Money cost(currency.cost.nanos() - shown.cost.nanos(), currency.currency);
            const Money estimated(currency.estimated.nanos() - shown.estimated.nanos(), currency.currency);
            text(sheet, row, 0, "Other teams");
            money(sheet, row, 2, cost);
            money(sheet, row, 3, estimated);
            money(sheet, row, 4, Money(cost.nanos() + estimated.nanos(), currency.currency));
            ++row;
        }
        if (row > kFirst) {
            text(sheet, row, 0, "All teams", m_bold);
            sum(sheet, kFirst, row, 2, currency.cost);
            sum(sheet, kFirst, row, 3, currency.estimated);
            sum(sheet, kFirst, row, 4, currency.total());
        }
        writeBill(sheet, row, currency);
    }

    void writeBill(lxw_worksheet *sheet, lxw_row_t row, const CurrencyStatement &currency) const
    {
        if (!m_statement.status.hash.empty())
            text(sheet, row + 7, 0, "SHA-256 of the closed figures: " + m_statement.status.hash);
        if (currency.isOnlyAdjusted())
            return;
        if (!currency.hasBill)
            return text(sheet, row + 2, 0, "No bill is stored for this month: everything is an estimate.", m_bold);
        text(sheet, row + 2, 0, "Bill");
        money(sheet, row + 2, 2, currency.bill);
        text(sheet, row + 3, 0, "Unexplained");
        money(sheet, row + 3, 2, currency.unexplained);
        text(sheet, row + 4, 0, "Difference to bill");
        money(sheet, row + 4, 2, currency.difference());
        text(sheet, row + 5, 0, "Not billed (estimated)");
        money(sheet, row + 5, 3, currency.estimated);
    }

    void writeAdjustments(const CurrencyStatement &currency, const std::string &code)
    {
        if (currency.adjustments.empty())
            return;
        lxw_worksheet *sheet = add("Adjustments " + code);
        text(sheet, 0, 0, "Adjustments of closed months, " + code, m_title);
        titles(sheet, 2, {"Of", "Team", "Category", "State", "Billed", "Estimated"});
        constexpr lxw_row_t kFirst = 3;
        lxw_row_t row = kFirst;
        for (const StatementAdjustment &one : currency.adjustments) {
            text(sheet, row, 0, referenceOf(one.of, one.closedAt));
            text(sheet, row, 1, teamName(one.team));
            text(sheet, row, 2, categoryName(one.category));
            text(sheet, row, 3, base::printable(one.state, kLongestSheetName));
            money(sheet, row, 4, one.cost);
            money(sheet, row++, 5, one.estimated);
        }
        if (!m_statement.team.empty())
            return;
        text(sheet, row, 0, "Sum", m_bold);
        sum(sheet, kFirst, row, 4, currency.adjustedCost);
        sum(sheet, kFirst, row, 5, currency.adjustedEstimate);
    }

    void writeTeam(const TeamStatement &team, const std::string &code)
    {
        lxw_worksheet *sheet =
            add(m_statement.currencies.size() > 1 ? teamName(team.team) + ' ' + code : teamName(team.team));
        text(sheet, 0, 0, teamName(team.team) + ", " + insight::toString(m_statement.month) + ", " + code, m_title);
        titles(sheet, 2, {"Category", "State", "Billed", "Estimated", "GPU-hours"});
        constexpr lxw_row_t kFirst = 3;
        lxw_row_t row = kFirst;
        for (const StatementLine &line : team.lines) {
            text(sheet, row, 0, categoryName(line.category));
            text(sheet, row, 1, base::printable(line.state, kLongestSheetName));
            money(sheet, row, 2, line.cost);
            money(sheet, row, 3, line.estimated);
            hours(sheet, row, 4, line.gpuTime);
            ++row;
        }
        if (row > kFirst) {
            text(sheet, row, 0, "Sum", m_bold);
            sum(sheet, kFirst, row, 2, team.cost);
            sum(sheet, kFirst, row, 3, team.estimated);
        }
        row += 2;
        if (!team.moved.isZero()) {
            text(sheet, row, 0, "By the rules for shared and idle cost");
            money(sheet, row++, 2, team.moved);
            text(sheet, row, 0, "Charged", m_bold);
            money(sheet, row, 2, team.charged());
            row += 2;
        }
        if (team.change) {
            const lxw_row_t first = row;
            text(sheet, row, 0, "Month before");
            money(sheet, row++, 2, team.change->before);
            for (auto [name, amount] : changeParts(*team.change)) {
                name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
                text(sheet, row, 0, name);
                money(sheet, row++, 2, amount);
            }
            text(sheet, row, 0, "This month", m_bold);
            sum(sheet, first, row, 2, team.total());
            row += 2;
        }
        if (team.workloads.empty())
            return;
        titles(sheet, row++, {"Most expensive workloads", "Namespace", "Cost", "Idle", "GPU-hours"});
        for (const StatementWorkload &one : team.workloads) {
            text(sheet, row, 0, base::printable(one.name, kLongestSheetName));
            text(sheet, row, 1, base::printable(one.nameSpace, kLongestSheetName));
            money(sheet, row, 2, one.cost);
            money(sheet, row, 3, one.idle);
            hours(sheet, row++, 4, one.gpuTime);
        }
    }

    void writeSavings(const StatementSavings &savings)
    {
        lxw_worksheet *sheet = add("Savings");
        text(sheet, 0, 0, "Savings", m_title);
        text(sheet, 1, 0, noteOf(savings));
        titles(sheet, 3, {"Saving", "Team", "Owner", "Due", "Currency", "p10", "p50", "p90"});
        worksheet_set_column(sheet, 7, 7, kFigureWidth, nullptr);
        lxw_row_t row = 4;
        for (const StatementSaving &one : savings.rows) {
            text(sheet, row, 0, base::printable(nameOf(one), kLongestSheetName));
            text(sheet, row, 1, one.team.empty() ? std::string() : teamName(one.team));
            text(sheet, row, 2, base::printable(one.owner, kLongestSheetName));
            text(sheet, row, 3, one.due ? insight::dayText(*one.due) : std::string());
            text(sheet, row, 4, base::printable(one.currency, kLongestSheetName));
            if (one.perMonth) {
                money(sheet, row, 5, one.perMonth->p10);
                money(sheet, row, 6, one.perMonth->p50);
                money(sheet, row, 7, one.perMonth->p90);
            }
            ++row;
        }
    }

    void writeBudgets()
    {
        constexpr lxw_col_t kShare = 7;
        lxw_worksheet *sheet = add("Budgets");
        text(sheet, 0, 0, "Budgets of " + insight::toString(m_statement.month), m_title);
        titles(sheet, 2,
               {"Team", "Currency", "Budget", "Carried over", "Available", "Spent", "Left", "Share", "Forecast",
                "Forecast, low", "Forecast, high"});
        worksheet_set_column(sheet, kShare, kShare, kFigureWidth, nullptr);
        lxw_row_t row = 3;
        for (const StatementBudget &one : m_statement.budgets) {
            text(sheet, row, 0, base::printable(teamName(one.team), kLongestSheetName));
            text(sheet, row, 1, std::string(one.amount.currency().code()));
            money(sheet, row, 2, one.amount);
            if (one.carried)
                money(sheet, row, 3, *one.carried);
            money(sheet, row, 4, one.available);
            money(sheet, row, 5, one.spent);
            money(sheet, row, 6, one.left);
            if (one.share)
                worksheet_write_number(sheet, row, kShare, *one.share, m_share);
            lxw_col_t column = kShare;
            for (const auto *amount : {&one.expected, &one.low, &one.high}) {
                ++column;
                if (*amount)
                    money(sheet, row, column, **amount);
            }
            ++row;
        }
    }

    const Statement &m_statement;
    lxw_workbook *m_book; // owns the formats
    lxw_format *m_bold, *m_title, *m_money, *m_sum, *m_hours, *m_share;
    SheetNames m_names;
};

} // namespace

Result<std::string> toXlsx(const Statement &statement)
{
    return workbookBytes(statement.made, [&](lxw_workbook *book) { Book(statement, book).write(); });
}

} // namespace gpuledger::reports
