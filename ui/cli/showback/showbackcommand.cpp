// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/showbackcommand.h"

#include "app/base/files/filereplace.h"
#include "app/base/money/minorunit.h"
#include "app/base/text/text.h"
#include "app/reports/documents/billsteps.h"
#include "app/reports/documents/documents.h"
#include "app/reports/documents/journal.h"
#include "app/reports/months/keptaccounts.h"
#include "app/services/billing/billingservice.h"
#include "app/services/billing/foundsavings.h"
#include "app/services/fleet/fleetservice.h"
#include "ui/cli/program/reachprint.h"
#include "ui/cli/showback/budgetsprint.h"
#include "ui/cli/showback/decisionprint.h"
#include "ui/cli/showback/monthsignoff.h"
#include "ui/cli/showback/pdfstatement.h"
#include "ui/cli/showback/showbackjson.h"
#include "ui/cli/showback/splitlensprint.h"
#include "ui/format/phrases/figures.h"

#include <CLI/CLI.hpp>

#include <filesystem>

namespace gpuledger::cli {

namespace {

using base::ErrorCode;
using base::Result;
using reports::CurrencyStatement;
using reports::Statement;
using reports::StatementAdjustment;
using reports::StatementLine;
using reports::TeamStatement;

constexpr char kCsv[] = "csv", kJournal[] = "journal", kPdf[] = "pdf", kReport[] = "gpureport";

std::string changeText(const TeamStatement &team)
{
    if (!team.change)
        return "-";
    const std::int64_t difference = team.total().nanos() - team.change->before.nanos();
    return (difference > 0 ? "+" : "") + ui::amountText(difference);
}

void addLines(std::string &text, const TeamStatement &team, bool bold)
{
    using Align = ui::TextTable::Align;
    ui::TextTable table(
        {{"category"}, {"state"}, {"GPU h", Align::Right}, {"billed", Align::Right}, {"estimated", Align::Right}});
    for (const StatementLine &line : team.lines)
        table.add({reports::categoryName(line.category), line.state.empty() ? "-" : line.state,
                   line.gpuTime ? (line.gpuTimeComplete ? "" : ">= ") + ui::hoursText(*line.gpuTime) : "-",
                   ui::amountText(line.cost.nanos()), ui::amountText(line.estimated.nanos())});
    text += '\n' + reports::teamName(team.team) + ", " + ui::moneyText(team.total()) + '\n' + table.toText(bold);
    if (!team.change)
        return;
    std::string parts;
    for (const auto &[name, amount] : reports::changeParts(*team.change))
        parts += (parts.empty() ? "" : ", ") + name + ' ' + ui::amountText(amount.nanos());
    text += "against the month before: " + changeText(team) + " (" + parts + ")\n";
    if (const std::string restated = reports::restatedText(*team.change); !restated.empty())
        text += restated + '\n';
}

void addAdjustments(std::string &text, const CurrencyStatement &currency, bool bold)
{
    using Align = ui::TextTable::Align;
    if (currency.adjustments.empty())
        return;
    ui::TextTable table({{"of"},
                         {"team"},
                         {"category"},
                         {"state"},
                         {"billed " + std::string(currency.currency.code()), Align::Right},
                         {"estimated", Align::Right}});
    for (const StatementAdjustment &one : currency.adjustments)
        table.add({reports::referenceOf(one.of, one.closedAt), reports::teamName(one.team),
                   reports::categoryName(one.category), one.state.empty() ? "-" : one.state,
                   ui::amountText(one.cost.nanos()), ui::amountText(one.estimated.nanos())});
    text += "\nAdjustments of closed months, " + ui::moneyText(currency.adjusted()) + " for all teams\n"
        + table.toText(bold);
}

void addSharing(std::string &text, const CurrencyStatement &currency, bool bold)
{
    using Align = ui::TextTable::Align;
    if (!currency.sharing)
        return;
    ui::TextTable table({{"team"}, {"own", Align::Right}, {"shared out", Align::Right}, {"charged", Align::Right}});
    for (const TeamStatement &team : currency.teams)
        table.add({reports::teamName(team.team), ui::amountText(team.totalWithAdjustments().nanos()),
                   ui::amountText(team.moved.nanos()), ui::amountText(team.charged().nanos())});
    text += "\nWho pays for shared (" + std::string(reports::toString(currency.sharing->rules.shared))
        + ") and idle cost (" + std::string(reports::toString(currency.sharing->rules.idle)) + ")\n"
        + table.toText(bold);
    if (!currency.sharing->ownLine.isZero())
        text += "idle cost that no team pays: " + ui::moneyText(currency.sharing->ownLine) + '\n';
}

void addSavingsText(std::string &text, const reports::StatementSavings &savings, bool bold)
{
    using Align = ui::TextTable::Align;
    ui::TextTable table({{"saving"},
                         {"team"},
                         {"owner"},
                         {"due"},
                         {"p10", Align::Right},
                         {"p50", Align::Right},
                         {"p90", Align::Right},
                         {"currency"}});
    const auto figure = [](const reports::StatementSaving &row, base::Money reports::StatementSaving::Band::*quantile) {
        return row.perMonth ? ui::amountText(((*row.perMonth).*quantile).nanos()) : std::string("-");
    };
    for (const reports::StatementSaving &row : savings.rows)
        table.add({reports::nameOf(row), row.team.empty() ? "-" : reports::teamName(row.team),
                   row.owner.empty() ? "-" : row.owner, row.due ? insight::dayText(*row.due) : "-",
                   figure(row, &reports::StatementSaving::Band::p10), figure(row, &reports::StatementSaving::Band::p50),
                   figure(row, &reports::StatementSaving::Band::p90), row.currency.empty() ? "-" : row.currency});
    text += "\nSavings\n" + (table.empty() ? "none found\n" : table.toText(bold)) + reports::noteOf(savings) + '\n';
}

std::string peopleText(const Statement &statement, bool bold)
{
    using Align = ui::TextTable::Align;
    std::string text = "Showback of " + insight::toString(statement.month) + " (" + reports::viewName(statement.view)
        + ", UTC days" + (statement.isOver ? "" : "; the month is not over") + ")\n"
        + reports::statusText(statement.status) + '\n';
    if (statement.isCut())
        text += reports::cutText(statement) + '\n';
    for (const CurrencyStatement &currency : statement.currencies) {
        ui::TextTable table({{"team"},
                             {"cost " + std::string(currency.currency.code()), Align::Right},
                             {"incl. estimated", Align::Right},
                             {"idle", Align::Right},
                             {"GPU h", Align::Right},
                             {"change", Align::Right}});
        for (const TeamStatement &team : currency.teams)
            table.add({reports::teamName(team.team), ui::amountText(team.total().nanos()),
                       ui::amountText(team.estimated.nanos()), ui::amountText(team.idle.nanos()),
                       team.gpuTime ? ui::hoursText(*team.gpuTime) : "-", changeText(team)});
        for (const reports::BillStep &step : reports::stepsToBill(currency)) {
            const bool all = step.kind == reports::BillStep::Kind::AllTeams;
            table.add({reports::nameOf(step.kind), ui::amountText(step.amount.nanos()),
                       all ? ui::amountText(currency.estimated.nanos()) : "", "", "", ""});
        }
        text += table.toText(bold);
        if (currency.hasBill)
            text += "bill: " + ui::moneyText(currency.bill) + "; difference to bill: "
                + currency.difference().toDecimal() + "; unexplained: " + ui::moneyText(currency.unexplained) + '\n';
        else if (!currency.isOnlyAdjusted())
            text += "no bill is stored for this month: everything is an estimate\n";
        addAdjustments(text, currency, bold);
        addSharing(text, currency, bold);
        if (!statement.team.empty()) {
            for (const TeamStatement &team : currency.teams)
                addLines(text, team, bold);
        }
    }
    if (!statement.budgets.empty())
        text += budgetsText(statement.budgets, bold);
    if (statement.savings)
        addSavingsText(text, *statement.savings, bold);
    return text;
}

Result<std::string> document(const Statement &statement, const std::string &format)
{
    if (format == "csv")
        return reports::toCsv(statement);
    if (format == "html")
        return reports::toHtml(statement);
    if (format == "xlsx")
        return reports::toXlsx(statement);
    return toJson(statement).dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

// The format given by --format, otherwise by the file name, otherwise by --json or --csv; empty: text.
std::string formatOf(const std::string &wanted, const std::string &file, const Output &out)
{
    if (!wanted.empty())
        return wanted;
    const std::string suffix = std::filesystem::path(file).extension().string();
    if (suffix == ".csv" || suffix == ".gpureport" || suffix == ".html" || suffix == ".pdf" || suffix == ".xlsx"
        || suffix == ".json")
        return suffix.substr(1);
    return out.json() ? "json" : out.csv() ? "csv" : "";
}

// Reports where the amounts for the accounts differ from the statement.
void noteDifferences(const reports::Journal &journal, const Output &out)
{
    for (const reports::JournalSum &sum : journal.sums) {
        const base::Currency currency = sum.exact.currency();
        out.note("charged: " + base::minorText(sum.charged, currency) + ' ' + std::string(currency.code())
                 + ", rounded; the statement says " + sum.exact.toDecimal());
        if (!sum.leftOut.isZero())
            out.note("not charged: " + sum.leftOut.toDecimal() + ' ' + std::string(currency.code())
                     + " of estimates that no bill says; chargeback.include_estimate: true adds them");
    }
}

void noteAccounts(reports::JournalAccounts::Origin origin, const Output &out)
{
    using Origin = reports::JournalAccounts::Origin;
    if (origin == Origin::KeptOthers)
        out.note("accounts: those of the day on which the month was closed; the configuration has others by now");
    if (origin == Origin::NotKept)
        out.note("accounts: those of the configuration; when the month was closed, no journal could be made of it");
}

Result<void> onlyTeam(const GlobalOptions &options)
{
    const bool others = !options.clusters.empty() || !options.clouds.empty() || !options.gpuModels.empty()
        || !options.workloadTypes.empty() || !options.environments.empty() || !options.nodePools.empty();
    if (others || options.teams.size() > 1)
        return base::fail(ErrorCode::InvalidArgument, "a statement is of one team (--team NAME) or of all",
                          "ask for parts of the ledger with: gpuledger-cli ledger");
    return {};
}

} // namespace

void ShowbackCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "showback", "Each team's statement for a month, reconciled with the bill",
                     "gpuledger-cli showback --month 2026-10 --format xlsx --out showback-2026-10.xlsx");
    m_verb->add_option("--month", m_month, "YYYY-MM, in UTC days (default: last month)");
    m_verb
        ->add_option("--cost", m_cost,
                     "billed: as on the invoice; effective: commitments spread over the usage they cover")
        ->check(CLI::IsMember({"billed", "effective"}));
    m_verb
        ->add_option(
            "--format", m_format,
            "csv, html, json, pdf or xlsx; else what the name of the file says. journal: double entries as CSV, by the "
            "accounts of the configuration; gpureport: one signed file with the facts, to be opened with --report")
        ->check(CLI::IsMember({"csv", "gpureport", "html", "journal", "json", "pdf", "xlsx"}));
    m_verb->add_option("--out", m_file, "Write the document to this file, replacing it (default: stdout)");
    auto *review = m_verb->add_flag(
        "--review", m_review,
        "Record that you reviewed the month (with --team: that team's statement), then show the statement");
    auto *close = m_verb->add_flag(
        "--close", m_close, "Close the month permanently, then show its statement; asks first, unless --yes is given");
    m_verb->add_option("--reason", m_reason, "Reason for closing although it does not reconcile or parts are missing")
        ->needs(close);
    m_verb->add_flag("--yes", m_yes, "Close without asking")->needs(close);
    auto *months = m_verb->add_flag("--months", m_months, "Lists all months and their sign-off state instead");
    auto *history = m_verb->add_flag("--history", m_history,
                                     "Shows the audit log of sign-offs instead; with --month, of that month only");
    auto *lens = m_verb->add_flag(
        "--lens", m_lens, "Compares what GPU machines cost each team under every split policy instead; parts add up");
    auto *decisions =
        m_verb->add_flag("--decisions", m_decisions,
                         "Shows the decisions of meetings and their effects instead; with --month, of that month only");
    auto *savings = m_verb->add_flag("--with-savings", m_withSavings,
                                     "Adds what could be saved (text, html, json, pdf, xlsx), in the cost of the "
                                     "statement; not for a closed month");
    savings->excludes(close)->excludes(months)->excludes(history)->excludes(lens)->excludes(decisions);
    lens->excludes(review)->excludes(close)->excludes(months)->excludes(history)->excludes(decisions);
    decisions->excludes(review)->excludes(close)->excludes(months)->excludes(history);
    review->excludes(close)->excludes(months)->excludes(history);
    close->excludes(months)->excludes(history);
    months->excludes(history);
}

Result<void> ShowbackCommand::write(const Statement &statement, Session &session) const
{
    Output &out = session.out();
    const std::string format = formatOf(m_format, m_file, out);
    if (format.empty() && m_file.empty())
        return out.print(peopleText(statement, out.bold()));
    if (format.empty())
        return base::fail(ErrorCode::InvalidArgument, "the name of the file does not say which document it is",
                          "add --format csv, gpureport, html, journal, json, pdf or xlsx");
    if ((format == "xlsx" || format == kPdf) && m_file.empty())
        return base::fail(ErrorCode::InvalidArgument, "such a document is not for a terminal",
                          "name a file with --out");
    if (format == kPdf)
        return writePdfStatement(session, statement.month, statement.view, m_withSavings, m_file);
    if (format == "json" && m_file.empty()) // a JSON answer rather than a document
        return out.print(toJson(statement));
    const auto bytes = document(statement, format);
    GPULEDGER_TRY(bytes);
    return m_file.empty() ? out.print(*bytes) : base::replaceFile(m_file, *bytes);
}

Result<int> ShowbackCommand::writeReport(const insight::Month &month, Session &session) const
{
    if (m_file.empty())
        return base::fail(ErrorCode::InvalidArgument, "a report is not for a terminal", "name a file with --out");
    if (!session.options().teams.empty())
        return base::fail(ErrorCode::InvalidArgument, "a report is of all teams", "leave --team away");
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto signer = (*workspace)->billing().writeReport(month, m_file, GPULEDGER_VERSION);
    GPULEDGER_TRY(signer);
    session.out().note("signed by " + *signer + "; tell this to whom you give it: gpuledger-cli report info shows it");
    return kDone;
}

Result<int> ShowbackCommand::writeJournal(const insight::Month &month, reports::CostView view, Session &session) const
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto statement = (*workspace)->billing().statement(month, view, {});
    GPULEDGER_TRY(statement);
    const auto accounts = (*workspace)->billing().journalAccounts(month);
    GPULEDGER_TRY(accounts);
    const auto &teams = session.options().teams;
    const auto journal =
        reports::journalOf(*statement, accounts->accounts, teams.empty() ? std::string() : teams.front());
    GPULEDGER_TRY(journal);
    Output &out = session.out();
    const std::string bytes = reports::toCsv(*journal);
    GPULEDGER_TRY(m_file.empty() ? out.print(bytes) : base::replaceFile(m_file, bytes));
    noteAccounts(accounts->origin, out);
    noteDifferences(*journal, out);
    return m_close || statement->reconciles() ? kDone : kLook;
}

reports::CostView ShowbackCommand::view() const
{
    return m_cost == "effective" ? reports::CostView::Effective : reports::CostView::Billed;
}

Result<bool> ShowbackCommand::printOther(Session &session, const insight::Month &month) const
{
    const auto named = m_month.empty() ? std::nullopt : std::optional(month);
    if (m_months)
        GPULEDGER_TRY(printMonths(session));
    if (m_history)
        GPULEDGER_TRY(printHistory(session, named));
    if (m_decisions)
        GPULEDGER_TRY(printDecisions(session, named));
    if (m_lens)
        GPULEDGER_TRY(printSplitLens(session, month, view()));
    return m_months || m_history || m_decisions || m_lens;
}

Result<void> ShowbackCommand::signOff(Session &session, const insight::Month &month) const
{
    if (m_review)
        GPULEDGER_TRY(review(session, month, session.options().teams));
    if (m_close)
        GPULEDGER_TRY(closeMonth(session, month, m_reason, m_yes));
    return {};
}

Result<void> ShowbackCommand::mayHaveSavings(Session &session) const
{
    const std::string format = formatOf(m_format, m_file, session.out());
    if (m_withSavings && (format == kCsv || format == kJournal || format == kReport))
        return base::fail(ErrorCode::InvalidArgument, "there are no savings in a statement as " + format,
                          "leave --with-savings away, or ask for --format html, json, pdf or xlsx");
    return {};
}

Result<void> ShowbackCommand::addSavings(Session &session, Statement &statement) const
{
    if (statement.status.state == reports::MonthState::Closed)
        return base::fail(ErrorCode::InvalidArgument, "a closed month is shown as it was closed, without savings",
                          "leave --with-savings away");
    if (formatOf(m_format, m_file, session.out()) == kPdf)
        return {}; // the program that draws it asks itself
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    auto savings = services::foundSavings((*workspace)->savings(), statement, statement.team, session.stop());
    GPULEDGER_TRY(savings);
    statement.savings = std::move(*savings);
    return {};
}

Result<int> ShowbackCommand::run(Session &session)
{
    GPULEDGER_TRY(onlyTeam(session.options()));
    const auto month = session.month(m_month);
    GPULEDGER_TRY(month);
    const auto isDone = printOther(session, *month);
    GPULEDGER_TRY(isDone);
    if (*isDone)
        return kDone;
    GPULEDGER_TRY(mayHaveSavings(session));
    GPULEDGER_TRY(signOff(session, *month));
    if (formatOf(m_format, m_file, session.out()) == kReport)
        return writeReport(*month, session);
    if (m_format == kJournal)
        return writeJournal(*month, view(), session);
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto &teams = session.options().teams;
    auto statement = (*workspace)->billing().statement(*month, view(), teams.empty() ? std::string() : teams.front());
    GPULEDGER_TRY(statement);
    auto budgets = (*workspace)->billing().budgets(*statement);
    GPULEDGER_TRY(budgets);
    statement->budgets = std::move(*budgets);
    if (m_withSavings)
        GPULEDGER_TRY(addSavings(session, *statement));
    if (statement->currencies.empty())
        session.out().note("nothing is stored for " + insight::toString(*month)
                           + "; fetch it with: gpuledger-cli sync");
    GPULEDGER_TRY(write(*statement, session));
    if (statement->status.state != reports::MonthState::Closed) { // a closed month does not depend on current data
        const auto reach = (*workspace)->fleet().reach(month->range());
        GPULEDGER_TRY(reach);
        session.out().notice(staleText(*reach, (*workspace)->timeZone()));
    }
    return m_close || statement->reconciles() ? kDone : kLook;
}

} // namespace gpuledger::cli
