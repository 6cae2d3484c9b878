// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/billrow.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/gcp/billquery.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;
using model::BillLine;
using model::ChargeCategory;

namespace {

constexpr const char *kGoogle = "Google Cloud";
constexpr const char *kComputeEngine = "Compute Engine";
constexpr std::size_t kLongestText = 1024; // bytes
constexpr std::size_t kMostLabels = 256; // of one list
constexpr base::Seconds kYears = 3 * 366 * base::kDay; // as far back as a correction may reach
constexpr base::Seconds kAhead = 31 * base::kDay; // charges that are paid in advance

constexpr std::array<std::pair<std::string_view, std::string_view>, 21> kCategories{{
    {kComputeEngine, "Compute"},
    {"Kubernetes Engine", "Compute"},
    {"Cloud Run", "Compute"},
    {"Cloud Run Functions", "Compute"},
    {"Cloud Functions", "Compute"},
    {"App Engine", "Compute"},
    {"Cloud Dataproc", "Compute"},
    {"Vertex AI", "AI and Machine Learning"},
    {"Cloud Machine Learning Engine", "AI and Machine Learning"},
    {"Notebooks", "AI and Machine Learning"},
    {"Cloud TPU", "AI and Machine Learning"},
    {"Cloud Storage", "Storage"},
    {"Cloud Filestore", "Storage"},
    {"Backup for GKE", "Storage"},
    {"Cloud SQL", "Databases"},
    {"Cloud Spanner", "Databases"},
    {"Cloud Bigtable", "Databases"},
    {"Cloud Memorystore for Redis", "Databases"},
    {"AlloyDB", "Databases"},
    {"Networking", "Networking"},
    {"Cloud DNS", "Networking"},
}};

tl::unexpected<base::Error> unreadable(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "BigQuery's answer can't be read: " + what);
}

// The cells as texts; null is empty.
class Cells {
public:
    explicit Cells(const Json &fields)
        : m_fields(fields)
    {
    }
    bool areWhole() const
    {
        return m_fields.is_array() && m_fields.size() == kBillColumns.size()
            && std::all_of(m_fields.begin(), m_fields.end(), [](const Json &field) {
                   const Json &value = format::memberOf(field, "v");
                   return value.is_string() || value.is_null();
               });
    }
    std::string raw(BillColumn column) const { return format::textOf(m_fields[static_cast<std::size_t>(column)], "v"); }
    std::string text(BillColumn column) const { return base::printable(raw(column), kLongestText); }

private:
    const Json &m_fields;
};

// [{"key":"team","value":"nlp"}]. What is already there stays.
Result<void> addLabels(const std::string &text, model::Labels &labels)
{
    if (text.empty())
        return {};
    const auto list = format::parseJson(text);
    if (!list || !list->is_array() || list->size() > kMostLabels)
        return unreadable("labels are no list of keys and values");
    for (const Json &one : *list) {
        const std::string key = base::printable(format::textOf(one, "key"), kLongestText);
        const std::string value = base::printable(format::textOf(one, "value"), kLongestText);
        if (!key.empty())
            labels.emplace(key, value.empty() ? "true" : value);
    }
    return {};
}

bool namesGpu(std::string_view sku)
{
    return sku.find(" GPU ") != std::string_view::npos || sku.ends_with(" GPU");
}

bool isMachine(const BillRow &row)
{
    constexpr std::array<std::string_view, 4> kUnits{"hour", "hours", "gibibyte hour", "gibibyte hours"};
    return row.service == kComputeEngine && std::find(kUnits.begin(), kUnits.end(), row.unit) != kUnits.end();
}

std::string_view categoryOfService(std::string_view service)
{
    for (const auto &[name, category] : kCategories) {
        if (name == service)
            return category;
    }
    return {};
}

// Written with names, as the nodes of a cluster know themselves; the export's own id has numbers.
void describeResource(const BillRow &row, BillLine &line)
{
    constexpr std::string_view kInstances = "/instances/";
    line.resource.id = row.resource.empty() ? row.resourceName : row.resource;
    line.resource.name = row.resourceName.substr(row.resourceName.rfind('/') + 1);
    line.resource.regionId = row.region;
    line.resource.zone = row.zone;
    if (row.service != kComputeEngine || row.resource.find(kInstances) == std::string::npos)
        return;
    line.resource.type = "Virtual machine";
    if (!row.projectId.empty() && !row.zone.empty() && !line.resource.name.empty())
        line.resource.id = "//compute.googleapis.com/projects/" + row.projectId + "/zones/" + row.zone
            + std::string(kInstances) + line.resource.name;
}

// Processors, memory and GPUs of a machine are lines of their own. Only that of the GPUs has their hours; those of
// processors and of memory would count as hours of the machine. Its type is told where no resource is: beside one it
// would make each GPU's hours those of the whole machine.
void describeUsage(const BillRow &row, BillLine &line)
{
    line.frequency = model::ChargeFrequency::UsageBased;
    const bool isGpu = isMachine(row) && namesGpu(row.sku);
    const bool isByType = isMachine(row) && line.resource.id.empty() && !row.machine.empty();
    if (isGpu)
        line.product.skuDetails["GpuCount"] = "1"; // of the quantity's unit
    if (isByType)
        line.product.skuDetails["InstanceType"] = row.machine;
    if (row.sku.find("Preemptible") != std::string::npos)
        line.pricing = model::PricingCategory::Dynamic;
    else // its price is that of a part, not of a machine of this type
        line.pricing = isByType ? model::PricingCategory::Other : model::PricingCategory::Standard;
    if (row.isUnusedReservation)
        line.capacityReservation = model::UseStatus::Unused;
    if (isMachine(row) && !isGpu)
        return;
    line.consumedQuantity = {row.quantity, row.unit.empty() ? "N/A" : row.unit};
    line.pricingQuantity = line.consumedQuantity;
}

void describeCharge(const BillRow &row, BillLine &line)
{
    line.description = row.sku;
    if (!row.credit.empty()) {
        line.category = ChargeCategory::Credit;
        line.description = row.creditName.empty() ? row.credit : row.creditName + " (" + row.credit + ')';
    } else if (row.costType == "tax") {
        line.category = ChargeCategory::Tax;
    } else if (row.costType != "regular" && !row.costType.empty()) {
        line.category = ChargeCategory::Adjustment; // a type that is not known changes the bill, and no machine
    } else if (row.sku.starts_with("Commitment")) {
        line.category = ChargeCategory::Purchase;
        line.frequency = model::ChargeFrequency::Recurring;
    } else {
        describeUsage(row, line);
    }
}

} // namespace

Result<BillRow> BillRow::of(const Json &json, const base::TimeRange &month)
{
    const Cells cells(format::memberOf(json, "f"));
    if (!cells.areWhole())
        return unreadable("a row has other cells than were asked for");
    BillRow row;
    const auto day = base::parseTime(cells.raw(BillColumn::Day));
    if (!day || *day < month.start - kYears || *day >= month.end + kAhead)
        return unreadable("it has a day that can't be of this month");
    row.day = base::dayOf(*day);
    const auto currency = base::Currency::parse(cells.raw(BillColumn::Currency));
    if (!currency)
        return unreadable("an amount has no currency");
    row.currency = *currency;
    const auto amount = base::Decimal::parse(cells.raw(BillColumn::Amount));
    if (!amount)
        return amount.error().code == ErrorCode::Overflow ? base::fail(amount.error())
                                                          : unreadable("a row has no amount");
    row.amount = *amount;
    if (const auto quantity = base::Decimal::parse(cells.raw(BillColumn::Quantity)))
        row.quantity = *quantity;
    for (const auto &[to, column] :
         {std::pair(&BillRow::projectId, BillColumn::ProjectId),
          std::pair(&BillRow::projectName, BillColumn::ProjectName), std::pair(&BillRow::service, BillColumn::Service),
          std::pair(&BillRow::skuId, BillColumn::SkuId), std::pair(&BillRow::sku, BillColumn::Sku),
          std::pair(&BillRow::region, BillColumn::Region), std::pair(&BillRow::zone, BillColumn::Zone),
          std::pair(&BillRow::resource, BillColumn::Resource),
          std::pair(&BillRow::resourceName, BillColumn::ResourceName),
          std::pair(&BillRow::machine, BillColumn::Machine), std::pair(&BillRow::costType, BillColumn::CostType),
          std::pair(&BillRow::unit, BillColumn::Unit), std::pair(&BillRow::creditForm, BillColumn::CreditForm),
          std::pair(&BillRow::credit, BillColumn::Credit), std::pair(&BillRow::creditName, BillColumn::CreditName)})
        row.*to = cells.text(column);
    row.isUnusedReservation = cells.raw(BillColumn::UnusedReservation) == "true";
    for (const BillColumn list : {BillColumn::Labels, BillColumn::Tags, BillColumn::ProjectLabels})
        GPULEDGER_TRY(addLabels(cells.raw(list), row.labels));
    return row;
}

Result<BillLine> lineOf(const BillRow &row, const BillSettings &settings, const base::TimeRange &month)
{
    BillLine line;
    line.billingAccountId = settings.billingAccount();
    line.billingPeriod = month;
    line.chargePeriod = {row.day.start(), row.day.end()};
    line.subAccountId = row.projectId;
    line.subAccountName = row.projectName;
    line.invoiceIssuer = kGoogle;
    const auto amount = row.amount.toMoney(row.currency);
    GPULEDGER_TRY(amount);
    line.billed = line.effective = *amount;
    line.product.provider = line.product.publisher = kGoogle;
    line.product.serviceName = row.service;
    line.product.serviceCategory = std::string(categoryOfService(row.service));
    line.product.skuId = row.skuId;
    line.product.skuMeter = row.sku;
    line.tags = row.labels;
    describeResource(row, line);
    describeCharge(row, line);
    return line;
}

} // namespace gpuledger::gcp
