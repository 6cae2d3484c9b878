// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/text.h"
#include "app/reports/documents/billsteps.h"
#include "app/reports/documents/documents.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace gpuledger::reports {

using base::GpuTime;
using base::Money;

namespace {

constexpr std::size_t kLongestHtmlName = 200, kLongestStatus = 10000; // bytes
constexpr std::int64_t kCent = Money::kNanosPerUnit / 100;

// State colours as on screen (resources/themes/light.json).
constexpr char kStyle[] = R"(
:root{--text:#1b1f24;--muted:#57606a;--line:#d0d7de;--active:#0f857c;--idle:#bf7a00;--free:#8c959f}
*{box-sizing:border-box}body{font:14px/1.45 system-ui,sans-serif;color:var(--text);background:#fff;max-width:960px;margin:32px auto;padding:0 24px}
h1{font-size:22px;margin:0}h2{font-size:17px;margin:32px 0 4px;break-after:avoid}p{margin:4px 0}.muted{color:var(--muted)}
table{border-collapse:collapse;width:100%;margin:8px 0;font-variant-numeric:tabular-nums}th,td{padding:5px 8px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{font-weight:600;font-size:12px;color:var(--muted)}.n{text-align:right;white-space:nowrap;overflow-wrap:normal}tfoot td{font-weight:600;border-bottom:0}tfoot .step td{font-weight:400}
.bar{display:flex;height:12px;border:1px solid var(--line);margin:8px 0}.bar i{display:block}.active{background:var(--active)}.idle{background:var(--idle)}.unallocated{background:var(--free)}
.unobserved{background:repeating-linear-gradient(45deg,#fff 0 3px,var(--free) 3px 5px)}.key i{display:inline-block;width:10px;height:10px;margin:0 4px 0 12px;border:1px solid var(--line)}
section{break-inside:avoid-page}@media print{body{margin:0;max-width:none}section.team{break-before:page}}
)";

std::string escaped(std::string_view foreign, std::size_t mostBytes = kLongestHtmlName)
{
    std::string out;
    for (const char c : base::printable(foreign, mostBytes)) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

// Digits before the decimal point in groups of three.
std::string grouped(const std::string &digits)
{
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0)
            text += ',';
        text += digits[i];
    }
    return text;
}

// "1,234.56", rounded half away from zero.
std::string amountText(const Money &amount)
{
    const std::int64_t nanos = amount.nanos();
    const std::int64_t cents = nanos / kCent + (nanos % kCent * 2 / kCent);
    const std::string rest = std::to_string(std::abs(cents % 100));
    return (cents < 0 ? "\u2212" : "") + grouped(std::to_string(std::abs(cents / 100))) + '.'
        + (rest.size() < 2 ? "0" : "") + rest;
}

std::string fixed(double value, int decimals)
{
    std::array<char, 64> text{};
    const auto [end, ec] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), end};
}

std::string hoursText(const std::optional<GpuTime> &time, bool complete = true)
{
    if (!time)
        return "\u2013";
    const std::string text = fixed(time->hours(), 1);
    const std::size_t point = text.find('.');
    return (complete ? "" : "\u2265 ") + grouped(text.substr(0, point)) + text.substr(point);
}

std::string cell(const std::string &safe, bool isFigure = false)
{
    return isFigure ? "<td class=n>" + safe + "</td>" : "<td>" + safe + "</td>";
}

std::string heading(std::initializer_list<std::pair<std::string_view, bool>> columns)
{
    std::string out = "<thead><tr>";
    for (const auto &[title, isFigure] : columns)
        out += (isFigure ? "<th class=n scope=col>" : "<th scope=col>") + std::string(title) + "</th>";
    return out + "</tr></thead>";
}

std::string changeText(const std::optional<StatementChange> &change, const Money &total)
{
    if (!change)
        return "\u2013";
    const Money difference(total.nanos() - change->before.nanos(), total.currency());
    return (difference.nanos() > 0 ? "+" : "") + amountText(difference);
}

class Page {
public:
    explicit Page(const Statement &statement)
        : m_statement(statement)
    {
    }

    std::string html()
    {
        const std::string month = insight::toString(m_statement.month);
        m_out = "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
                "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
                "<meta name=viewport content=\"width=device-width\"><title>GPU showback "
            + month + "</title><style>" + kStyle + "</style></head><body>\n<h1>GPU showback of " + month + "</h1>\n";
        m_out += "<p class=muted>" + viewName(m_statement.view) + ", days in UTC, made "
            + base::toRfc3339(m_statement.made)
            + (m_statement.isOver ? "" : ". <strong>The month is not over: its figures will change.</strong>")
            + "</p>\n<p>Status: " + escaped(statusText(m_statement.status), kLongestStatus) + "</p>\n";
        if (!m_statement.status.hash.empty())
            m_out += "<p class=muted>SHA-256 of the closed figures: " + escaped(m_statement.status.hash) + "</p>\n";
        if (m_statement.isCut())
            m_out += "<p><strong>" + cutText(m_statement) + "</strong></p>\n";
        if (m_statement.currencies.empty())
            m_out += "<p>No figure is stored for this month.</p>\n";
        for (const CurrencyStatement &currency : m_statement.currencies)
            addCurrency(currency);
        if (!m_statement.budgets.empty())
            addBudgets();
        if (m_statement.savings)
            addSavings(*m_statement.savings);
        return m_out
            + "<p class=muted>Amounts are shown in hundredths; sums are those of the exact amounts.</p>\n"
              "</body></html>\n";
    }

private:
    void addCurrency(const CurrencyStatement &currency)
    {
        const std::string code(currency.currency.code());
        m_out += "<section><h2>All teams, " + code + "</h2>\n";
        if (currency.hasBill)
            m_out += "<p>Bill " + amountText(currency.bill) + " " + code + "; the teams' lines add up to "
                + amountText(currency.cost) + ", difference " + currency.difference().toDecimal() + "; unexplained "
                + amountText(currency.unexplained) + ".</p>\n";
        else if (!currency.isOnlyAdjusted())
            m_out += "<p><strong>No bill is stored for this month: everything is an estimate.</strong></p>\n";
        if (!currency.estimated.isZero())
            m_out += "<p>Estimated by OpenCost, Kubecost or the price book, on no bill: "
                + amountText(currency.estimated) + ' ' + code + ".</p>\n";
        m_out += "<table>"
            + heading({{"Team", false},
                       {"Cost", true},
                       {"Incl. estimated", true},
                       {"Idle", true},
                       {"GPU-hours", true},
                       {"Against the month before", true}})
            + "<tbody>\n";
        for (const TeamStatement &team : currency.teams)
            m_out += "<tr>" + cell(escaped(teamName(team.team))) + cell(amountText(team.total()), true)
                + cell(amountText(team.estimated), true) + cell(amountText(team.idle), true)
                + cell(hoursText(team.gpuTime), true) + cell(changeText(team.change, team.total()), true) + "</tr>\n";
        m_out += "</tbody>";
        m_out += "<tfoot>";
        for (const BillStep &step : stepsToBill(currency)) {
            const bool all = step.kind == BillStep::Kind::AllTeams;
            m_out += (step.isSum() ? "<tr>" : "<tr class=step>") + cell(nameOf(step.kind))
                + cell(amountText(step.amount), true) + (all ? cell(amountText(currency.estimated), true) : "<td></td>")
                + "<td></td><td></td><td></td></tr>";
        }
        m_out += "</tfoot>";
        m_out += "</table></section>\n";
        addAdjustments(currency, code);
        for (const TeamStatement &team : currency.teams)
            addTeam(team, code);
    }

    void addAdjustments(const CurrencyStatement &currency, const std::string &code)
    {
        if (currency.adjustments.empty())
            return;
        m_out += "<section><h2>Adjustments of closed months, " + code
            + "</h2>\n<p>What became known of closed months since they were closed. It is in no sum above"
            + (m_statement.team.empty() ? "; the month with it comes to "
                       + amountText(Money(currency.total().nanos() + currency.adjusted().nanos(), currency.currency))
                       + ' ' + code
                                        : std::string())
            + ".</p>\n<table>"
            + heading({{"Of", false},
                       {"Team", false},
                       {"Category", false},
                       {"State", false},
                       {"Billed", true},
                       {"Estimated", true}})
            + "<tbody>\n";
        for (const StatementAdjustment &one : currency.adjustments)
            m_out += "<tr>" + cell(referenceOf(one.of, one.closedAt)) + cell(escaped(teamName(one.team)))
                + cell(escaped(categoryName(one.category))) + cell(escaped(one.state))
                + cell(amountText(one.cost), true) + cell(amountText(one.estimated), true) + "</tr>\n";
        m_out += "</tbody></table></section>\n";
    }

    void addTeam(const TeamStatement &team, const std::string &code)
    {
        m_out += "<section class=team><h2>" + escaped(teamName(team.team)) + ", " + amountText(team.total()) + ' '
            + code + "</h2>\n";
        addBar(team);
        m_out += "<table>"
            + heading({{"Category", false},
                       {"State", false},
                       {"GPU-hours", true},
                       {"Billed", true},
                       {"Estimated", true},
                       {"Share", true}})
            + "<tbody>\n";
        const double all = team.total().toDouble();
        for (const StatementLine &line : team.lines) {
            const double share = (line.cost.toDouble() + line.estimated.toDouble()) / all;
            m_out += "<tr>" + cell(escaped(categoryName(line.category))) + cell(escaped(line.state))
                + cell(hoursText(line.gpuTime, line.gpuTimeComplete), true) + cell(amountText(line.cost), true)
                + cell(amountText(line.estimated), true) + cell(all > 0 ? fixed(share * 100, 1) + " %" : "\u2013", true)
                + "</tr>\n";
        }
        m_out += "</tbody><tfoot><tr>" + cell("Sum") + "<td></td>" + cell(hoursText(team.gpuTime), true)
            + cell(amountText(team.cost), true) + cell(amountText(team.estimated), true)
            + "<td></td></tr></tfoot></table>\n";
        addNotes(team);
        addWorkloads(team);
        m_out += "</section>\n";
    }

    // GPU cost by state, if there is any.
    void addBar(const TeamStatement &team)
    {
        std::array<double, 4> parts{};
        double all = 0;
        for (const StatementLine &line : team.lines) {
            const auto at = std::find(kGpuStates.begin(), kGpuStates.end(), line.state);
            const double part = std::max(0.0, line.cost.toDouble() + line.estimated.toDouble());
            if (at == kGpuStates.end() || line.category != "gpu")
                continue;
            parts[static_cast<std::size_t>(at - kGpuStates.begin())] += part;
            all += part;
        }
        if (all <= 0)
            return;
        std::string bar, key;
        for (std::size_t i = 0; i < kGpuStates.size(); ++i) {
            const std::string state(kGpuStates[i]), share = fixed(parts[i] / all * 100, 2);
            bar += "<i class=" + state + " style=\"width:" + share + "%\"></i>";
            key += "<i class=" + state + "></i>" + state + ' ' + fixed(parts[i] / all * 100, 1) + " %";
        }
        m_out += "<div class=bar aria-hidden=true>" + bar + "</div><p class=\"muted key\">GPU cost by state:" + key
            + "</p>\n";
    }

    void addNotes(const TeamStatement &team)
    {
        if (!team.idle.isZero() && team.idleTime)
            m_out += "<p>Idle: " + amountText(team.idle) + ", as much as " + hoursText(team.idleTime)
                + " GPU-hours of the same kinds.</p>\n";
        if (!team.adjusted.isZero())
            m_out += "<p>Adjustments of closed months: " + amountText(team.adjusted) + "; with them "
                + amountText(team.totalWithAdjustments()) + ".</p>\n";
        if (!team.moved.isZero())
            m_out += "<p>By the rules for shared and idle cost: " + amountText(team.moved) + "; charged "
                + amountText(team.charged()) + ".</p>\n";
        GpuTime unpriced;
        for (const StatementLine &line : team.lines)
            unpriced += line.unpriced;
        if (unpriced.ticks > 0)
            m_out +=
                "<p>" + hoursText(unpriced) + " GPU-hours have no price: their cost is unknown and in no sum.</p>\n";
        if (!team.change)
            return;
        std::string parts;
        for (const auto &[name, amount] : changeParts(*team.change))
            parts += (parts.empty() ? " " : ", ") + name + ' ' + amountText(amount);
        const std::string restated = restatedText(*team.change);
        m_out += "<p>Against the month before (" + amountText(team.change->before)
            + "): " + changeText(team.change, team.total()) + ", of which" + parts + '.'
            + (restated.empty() ? "" : ' ' + restated) + "</p>\n";
    }

    void addWorkloads(const TeamStatement &team)
    {
        if (team.workloads.empty())
            return;
        m_out += "<table>"
            + heading({{"Most expensive workloads", false},
                       {"Namespace", false},
                       {"GPU-hours", true},
                       {"Cost", true},
                       {"Idle", true}})
            + "<tbody>\n";
        for (const StatementWorkload &one : team.workloads)
            m_out += "<tr>" + cell(escaped(one.name)) + cell(escaped(one.nameSpace))
                + cell(hoursText(one.gpuTime), true) + cell(amountText(one.cost), true)
                + cell(amountText(one.idle), true) + "</tr>\n";
        m_out += "</tbody></table>\n";
    }

    void addBudgets()
    {
        m_out += "<section><h2>Budgets of the month</h2>\n<p>Spent: the team's own cost. Forecast: at the end of the "
                 "month, with the range in which it lies with a probability of 80 %.</p>\n<table>"
            + heading({{"Team", false},
                       {"Currency", false},
                       {"Budget", true},
                       {"Carried over", true},
                       {"Available", true},
                       {"Spent", true},
                       {"Left", true},
                       {"Share", true},
                       {"Forecast", true},
                       {"Low", true},
                       {"High", true}})
            + "<tbody>\n";
        const auto figure = [](const std::optional<Money> &amount) {
            return cell(amount ? amountText(*amount) : "\u2013", true);
        };
        for (const StatementBudget &one : m_statement.budgets)
            m_out += "<tr>" + cell(escaped(teamName(one.team))) + cell(std::string(one.amount.currency().code()))
                + figure(one.amount) + figure(one.carried) + figure(one.available) + figure(one.spent)
                + figure(one.left) + cell(one.share ? fixed(*one.share * 100, 1) + " %" : "\u2013", true)
                + figure(one.expected) + figure(one.low) + figure(one.high) + "</tr>\n";
        m_out += "</tbody></table></section>\n";
    }

    void addSavings(const StatementSavings &savings)
    {
        m_out += "<section><h2>Savings</h2>\n<p>" + noteOf(savings) + "</p>\n<table>"
            + heading({{"Saving", false},
                       {"Team", false},
                       {"Owner", false},
                       {"Due", false},
                       {"Currency", false},
                       {"p10", true},
                       {"p50", true},
                       {"p90", true}})
            + "<tbody>\n";
        const auto figure = [](const StatementSaving &row, Money StatementSaving::Band::*quantile) {
            return cell(row.perMonth ? amountText((*row.perMonth).*quantile) : "\u2013", true);
        };
        for (const StatementSaving &row : savings.rows)
            m_out += "<tr>" + cell(escaped(nameOf(row))) + cell(row.team.empty() ? "" : escaped(teamName(row.team)))
                + cell(escaped(row.owner)) + cell(row.due ? insight::dayText(*row.due) : "")
                + cell(escaped(row.currency)) + figure(row, &StatementSaving::Band::p10)
                + figure(row, &StatementSaving::Band::p50) + figure(row, &StatementSaving::Band::p90) + "</tr>\n";
        m_out += "</tbody></table></section>\n";
    }

    const Statement &m_statement;
    std::string m_out;
};

} // namespace

std::string toHtml(const Statement &statement)
{
    return Page(statement).html();
}

} // namespace gpuledger::reports
