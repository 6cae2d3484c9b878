// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/billsettings.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/gcp/serviceaddress.h"
#include "connectors/http/url.h"

#include <algorithm>
#include <string_view>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kApi = "https://bigquery.googleapis.com";
constexpr std::uint64_t kBytesPerGb = 1'000'000'000;
constexpr std::size_t kLongestName = 1024, kLongestProject = 128;
constexpr std::size_t kMostCommitmentProjects = 50;
constexpr std::string_view kNoProjects = "none";

tl::unexpected<base::Error> wrongBill(const model::SourceSettings &settings, const std::string &what, base::Hint hint,
                                      ErrorCode code = ErrorCode::InvalidConfig)
{
    return base::fail(
        base::Error::make(code, "source \"" + settings.name + "\" " + what, std::move(hint)).withSource(settings.name));
}

bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool isNameOf(std::string_view text, std::string_view others, std::size_t longest)
{
    return !text.empty() && text.size() <= longest && std::all_of(text.begin(), text.end(), [&](char c) {
        return isLetterOrDigit(c) || others.find(c) != std::string_view::npos;
    });
}

// "lab-billing"; older ones belong to a domain: "example.com:lab-billing".
bool isProject(std::string_view text)
{
    return isNameOf(text, "-.:", kLongestProject) && isLetterOrDigit(text.front()) && isLetterOrDigit(text.back())
        && text.find("..") == std::string_view::npos;
}

constexpr std::size_t kAccountPart = 6, kAccountLength = 3 * kAccountPart + 2;

// "01AB23-CD45EF-678901" of a text with this break between the parts; empty: it is not such an id.
std::string accountOf(std::string_view text, char between)
{
    if (text.size() != kAccountLength)
        return {};
    std::string account(text);
    for (std::size_t i = 0; i < account.size(); ++i) {
        char &c = account[i];
        const bool isBreak = i % (kAccountPart + 1) == kAccountPart;
        if (isBreak ? c != between : std::string_view("0123456789ABCDEF").find(c) == std::string_view::npos)
            return {};
        c = isBreak ? '-' : c;
    }
    return account;
}

constexpr std::string_view kBlanksOfList = " \t";

std::string_view withoutBlanks(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(kBlanksOfList);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kBlanksOfList) + 1 - begin);
}

// Of the setting, or else that of the queries.
Result<std::vector<std::string>> commitmentProjectsOf(const model::SourceSettings &settings, const std::string &project)
{
    const auto option = settings.options.find(std::string(kCommitmentProjectsKey));
    const std::string_view given =
        option == settings.options.end() ? std::string_view() : withoutBlanks(option->second);
    std::vector<std::string> out;
    if (given.empty())
        out.push_back(project);
    if (given.empty() || given == kNoProjects)
        return out;
    for (std::size_t begin = 0; begin <= given.size();) {
        const std::size_t end = std::min(given.find(',', begin), given.size());
        const std::string one(withoutBlanks(given.substr(begin, end - begin)));
        begin = end + 1;
        if (!isProject(one) || one == kNoProjects)
            return wrongBill(settings, "has commitment_projects that are not ids of projects",
                             "set commitment_projects of " + settings.name
                                 + " to ids of projects, separated by commas, or to none");
        if (std::find(out.begin(), out.end(), one) == out.end())
            out.push_back(one);
        if (out.size() > kMostCommitmentProjects)
            return wrongBill(settings,
                             "has more than " + std::to_string(kMostCommitmentProjects) + " commitment_projects",
                             "remove some commitment_projects of " + settings.name);
    }
    return out;
}

// That at the end of a table's name, where it is written with underscores.
std::string accountIn(std::string_view table)
{
    const bool isLong = table.size() > kAccountLength && table[table.size() - kAccountLength - 1] == '_';
    return isLong ? accountOf(table.substr(table.size() - kAccountLength), '_') : std::string();
}

// Of the name of the table, or else of the setting.
Result<std::string> budgetAccountOf(const model::SourceSettings &settings, const std::string &table)
{
    const auto option = settings.options.find(std::string(kBillingAccountKey));
    const std::string named = accountIn(table);
    if (option == settings.options.end() || option->second.empty())
        return named;
    std::string given = accountOf(option->second, '-');
    const std::string hint =
        "set billing_account of " + settings.name + " to its id, as gcloud billing accounts list shows it";
    if (given.empty())
        return wrongBill(settings, "has a billing_account that is not the id of one", hint);
    if (!named.empty() && given != named)
        return wrongBill(settings, "has a billing_account other than that in the name of its table, " + named, hint);
    return given;
}

} // namespace

bool BillSettings::isDetailed() const
{
    return table.starts_with("gcp_billing_export_resource_v1_");
}

bool BillSettings::isFocus() const
{
    return table.starts_with("gcp_billing_export_focus_");
}

std::string BillSettings::billingAccount() const
{
    const std::string account = accountIn(table);
    return account.empty() ? identity() : account;
}

std::string BillSettings::identity() const
{
    return project + '.' + dataset + '.' + table;
}

Result<BillSettings> BillSettings::of(const model::SourceSettings &settings)
{
    const auto option = [&](const char *key) {
        const auto at = settings.options.find(key);
        return at == settings.options.end() ? std::string() : at->second;
    };
    BillSettings out;
    out.project = option("project");
    out.dataset = option("dataset");
    out.table = option("table");
    out.jobProject = option("job_project").empty() ? out.project : option("job_project");
    if (!isProject(out.project) || !isProject(out.jobProject))
        return wrongBill(settings, "has a project that is not the id of one", base::Remedy::CheckBigQueryTable);
    if (!isNameOf(out.dataset, "_", kLongestName))
        return wrongBill(settings, "has a dataset that is not the name of one", base::Remedy::CheckBigQueryTable);
    if (!isNameOf(out.table, "_-", kLongestName))
        return wrongBill(settings, "has a table that is not the name of one", base::Remedy::CheckBigQueryTable);
    if (out.table == "cloud_pricing_export")
        return wrongBill(settings, "names a table of another form than a usage cost export",
                         base::Remedy::ChooseBillingExport, ErrorCode::Unsupported);
    out.api = settings.url.empty() ? std::string(kApi) : settings.url;
    GPULEDGER_TRY(http::parseUrl(out.api));
    while (out.api.ends_with('/'))
        out.api.pop_back();
    if (const std::string text = option("refresh"); !text.empty()) {
        const auto refresh = base::parseDuration(text);
        GPULEDGER_TRY(refresh);
        out.refresh = *refresh;
    }
    if (const std::string text = option("most_scanned"); !text.empty()) {
        const auto most = base::parseInt(text);
        if (!most || *most <= 0 || *most > 1'000'000)
            return wrongBill(settings, "has a limit that is no whole number of GB", base::Remedy::RaiseMostScanned);
        out.mostScanned = static_cast<std::uint64_t>(*most) * kBytesPerGb;
    }
    auto budgetsApi = serviceAddress(settings.url, "billingbudgets", "bigquery");
    GPULEDGER_TRY(budgetsApi);
    out.budgetsApi = std::move(*budgetsApi);
    auto account = budgetAccountOf(settings, out.table);
    GPULEDGER_TRY(account);
    out.budgetAccount = std::move(*account);
    auto computeApi = serviceAddress(settings.url, "compute", "bigquery");
    GPULEDGER_TRY(computeApi);
    out.computeApi = std::move(*computeApi);
    auto projects = commitmentProjectsOf(settings, out.project);
    GPULEDGER_TRY(projects);
    out.commitmentProjects = std::move(*projects);
    GPULEDGER_TRY(checkGoogleAccess(settings));
    return out;
}

Result<std::string> projectOf(const model::SourceSettings &settings)
{
    const auto option = settings.options.find("project");
    if (option == settings.options.end() || !isProject(option->second))
        return wrongBill(settings, "has a project that is not the id of one",
                         "set project of " + settings.name + " to its id, as gcloud projects list shows it");
    return option->second;
}

Result<void> checkGoogleAccess(const model::SourceSettings &settings)
{
    using Kind = model::AuthSettings::Kind;
    const bool isKnown = settings.auth.kind == Kind::None || settings.auth.kind == Kind::Bearer;
    if (!isKnown || !settings.auth.header.empty())
        return wrongBill(settings, "has no access that Google accepts", base::Remedy::UseGoogleCredential);
    return {};
}

} // namespace gpuledger::gcp
