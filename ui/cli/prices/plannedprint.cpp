// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/prices/plannedprint.h"

#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

namespace gpuledger::cli {

using model::PlannedUse;
using services::PlannedAnswer;
using services::PlannedPlan;
using services::PlannedRow;
using ui::TextTable;

namespace {

constexpr double kHoursOfMonth = 730;

std::optional<double> machinesOf(const std::optional<PlannedUse> &use)
{
    return use && use->hours ? std::optional(use->hours->toDouble() / kHoursOfMonth) : std::nullopt;
}

std::optional<base::Money> costOf(const std::optional<PlannedUse> &use)
{
    return use ? use->cost : std::nullopt;
}

Json useJson(const std::optional<PlannedUse> &use)
{
    if (!use)
        return nullptr;
    return {{"hours", use->hours ? cli::toJson(std::optional(use->hours->toDouble())) : Json(nullptr)},
            {"cost", cli::toJson(use->cost)}};
}

Json rowJson(const PlannedRow &row)
{
    Json json;
    json["project"] = textOrNull(row.machine.project);
    json["resource"] = row.machine.resource;
    json["cloud"] = textOrNull(row.machine.cloud);
    json["machine"] = row.machine.machine;
    json["gpu"] = textOrNull(row.gpuModel);
    json["gpus"] = row.gpus ? Json(*row.gpus) : Json(nullptr);
    json["purchase"] = std::string(toString(row.machine.purchase));
    json["planned"] = useJson(row.machine.planned);
    json["before"] = useJson(row.machine.before);
    json["paid_per_hour"] = cli::toJson(row.paidPerHour);
    json["at_paid_price"] = cli::toJson(row.atPaidPrice);
    json["running"] = cli::toJson(row.running);
    return json;
}

std::string amountText(const std::optional<base::Money> &amount, int decimals)
{
    return amount ? ui::fixed(amount->toDouble(), decimals) : std::string("-");
}

std::string countText(const std::optional<double> &count)
{
    return count ? ui::fixed(*count, 1) : std::string("-");
}

std::string gpusText(const PlannedRow &row)
{
    return (row.gpus ? std::to_string(*row.gpus) : std::string("?")) + "x "
        + (row.gpuModel.empty() ? std::string("unknown GPU") : row.gpuModel);
}

std::string dayText(const std::optional<base::UtcTime> &time)
{
    constexpr std::size_t kDate = 10;
    return time ? base::toRfc3339(*time).substr(0, kDate) : std::string("unknown day");
}

std::string headOf(const PlannedPlan &plan)
{
    return plan.source + ": " + plan.file + ", " + dayText(plan.made) + ", in " + std::string(plan.currency.code())
        + " a month of 730 hours\n";
}

} // namespace

Json plannedJson(const PlannedAnswer &answer)
{
    Json json{{"billed", nullptr}, {"plans", Json::array()}};
    if (!answer.billed.empty())
        json["billed"] = {{"from", cli::toJson(answer.billed.start)}, {"to", cli::toJson(answer.billed.end)}};
    for (std::size_t i = 0; i < answer.plans.size(); ++i) {
        const PlannedPlan &plan = answer.plans[i];
        Json one{{"source", plan.source},
                 {"file", plan.file},
                 {"made", plan.made ? cli::toJson(*plan.made) : Json(nullptr)},
                 {"currency", std::string(plan.currency.code())},
                 {"without_gpus", plan.withoutGpus},
                 {"planned", cli::toJson(plan.planned)},
                 {"before", cli::toJson(plan.before)},
                 {"at_paid_price", cli::toJson(plan.atPaidPrice)},
                 {"machines", Json::array()}};
        for (const PlannedRow &row : answer.rows) {
            if (row.plan == i)
                one["machines"].push_back(rowJson(row));
        }
        json["plans"].push_back(std::move(one));
    }
    return json;
}

std::string plannedCsv(const PlannedAnswer &answer)
{
    TextTable table({{"source"},
                     {"file"},
                     {"project"},
                     {"resource"},
                     {"cloud"},
                     {"machine"},
                     {"gpu"},
                     {"gpus"},
                     {"purchase"},
                     {"currency"},
                     {"planned_hours"},
                     {"planned"},
                     {"before"},
                     {"paid_per_hour"},
                     {"at_paid_price"},
                     {"running"}});
    const auto exact = [](const std::optional<base::Money> &amount) {
        return amount ? amount->toDecimal() : std::string();
    };
    for (const PlannedRow &row : answer.rows) {
        const PlannedPlan &plan = answer.plans[row.plan];
        const auto &use = row.machine.planned;
        table.add({plan.source, plan.file, row.machine.project, row.machine.resource, row.machine.cloud,
                   row.machine.machine, row.gpuModel, row.gpus ? std::to_string(*row.gpus) : "",
                   std::string(toString(row.machine.purchase)), std::string(plan.currency.code()),
                   use && use->hours ? use->hours->toText() : "", exact(costOf(use)), exact(costOf(row.machine.before)),
                   exact(row.paidPerHour), exact(row.atPaidPrice), row.running ? ui::fixed(*row.running, 3) : ""});
    }
    return table.toCsv();
}

std::string plannedText(const PlannedAnswer &answer, bool bold)
{
    constexpr auto kRight = TextTable::Align::Right;
    std::string text;
    for (std::size_t i = 0; i < answer.plans.size(); ++i) {
        const PlannedPlan &plan = answer.plans[i];
        const bool hasBefore = plan.tellsBefore;
        std::vector<TextTable::Column> columns{{"resource"}, {"machine"},          {"GPUs"},
                                               {"terms"},    {"machines", kRight}, {"planned", kRight}};
        if (hasBefore)
            columns.push_back({"before", kRight});
        for (const char *title : {"paid per hour", "at paid price", "running now"})
            columns.push_back({title, kRight});
        TextTable table(std::move(columns));
        const auto add = [&](std::vector<std::string> cells, const std::string &before,
                             const std::vector<std::string> &rest) {
            if (hasBefore)
                cells.push_back(before);
            cells.insert(cells.end(), rest.begin(), rest.end());
            table.add(cells);
        };
        std::size_t shown = 0;
        for (const PlannedRow &row : answer.rows) {
            if (row.plan != i)
                continue;
            ++shown;
            const bool isRemoved = !row.machine.planned;
            add({row.machine.resource, row.machine.machine, gpusText(row), std::string(toString(row.machine.purchase)),
                 isRemoved ? "removed" : countText(machinesOf(row.machine.planned)),
                 isRemoved ? "0.00" : amountText(row.machine.planned->cost, 2)},
                row.machine.before ? amountText(row.machine.before->cost, 2) : "0.00",
                {amountText(row.paidPerHour, 4), isRemoved ? "0.00" : amountText(row.atPaidPrice, 2),
                 countText(row.running)});
        }
        text += (text.empty() ? "" : "\n") + headOf(plan);
        if (shown == 0) {
            text += "no machines with GPUs in it\n";
            continue;
        }
        add({"total", "", "", "", "", amountText(plan.planned, 2)}, amountText(plan.before, 2),
            {"", amountText(plan.atPaidPrice, 2), ""});
        text += table.toText(bold);
    }
    return text;
}

} // namespace gpuledger::cli
