// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/billquery.h"

#include "connectors/format/askedbill.h"

#include <nlohmann/json.hpp>

namespace gpuledger::gcp {

using Json = nlohmann::json;

namespace {

constexpr base::Seconds kBefore = 2 * base::kDay; // the first hours of a month in other time zones
constexpr int kAnswerWait = 20'000; // milliseconds that BigQuery waits for the end of the query before it answers

// The members of a list of labels as JSON, in a fixed order, so that equal lists are one group.
std::string labelsOf(const std::string &list, const std::string &name)
{
    return "TO_JSON_STRING(ARRAY(SELECT AS STRUCT l.key, l.value FROM UNNEST(" + list + ") AS l ORDER BY l.key)) AS "
        + name;
}

std::string systemLabel(const std::string &key, const std::string &name)
{
    return "(SELECT MAX(l.value) FROM UNNEST(system_labels) AS l WHERE l.key = 'compute.googleapis.com/" + key
        + "') AS " + name;
}

// Null if the export has none of this name.
std::string focusSystemLabel(const std::string &key, const std::string &name)
{
    return "(SELECT MAX(l.Value) FROM UNNEST(x_SystemLabels) AS l WHERE l.Key = 'compute.googleapis.com/" + key
        + "') AS " + name;
}

std::string focusLabels(const std::string &list, const std::string &name)
{
    return "TO_JSON_STRING(ARRAY(SELECT AS STRUCT l.Key AS key, l.Value AS value FROM UNNEST(" + list
        + ") AS l ORDER BY l.Key)) AS " + name;
}

// Whether two amounts are the same; false where one is null.
std::string isSame(const std::string &one, const std::string &other)
{
    return "IFNULL(ABS((" + one + ") - (" + other + ")) <= " + std::string(kSameCost) + ", FALSE)";
}

// The month has twelve hours added: it begins at midnight of Los Angeles or of UTC.
std::string focusRowsOf(const BillSettings &settings)
{
    const std::string isNet =
        isSame("BilledCost", "ContractedCost + off") + " OR " + isSame("BilledCost", "EffectiveCost");
    const std::string isGross =
        isSame("BilledCost", "ContractedCost") + " OR " + isSame("EffectiveCost", "BilledCost + off");
    const std::string least(kLeastCredit);
    return "  SELECT *,\n"
           "    ARRAY_CONCAT(\n"
           "      [STRUCT('' AS credit, '' AS credit_name,\n"
           "        CASE WHEN off = 0 THEN BilledCost WHEN credit_form = '' THEN EffectiveCost\n"
           "          WHEN credit_form = 'net' THEN BilledCost - off ELSE BilledCost END AS amount,\n"
           "        SAFE_CAST(PricingQuantity AS NUMERIC) AS quantity)],\n"
           "      ARRAY(SELECT AS STRUCT IFNULL(c.Type, 'CREDIT') AS credit, IFNULL(c.FullName, c.Name) AS "
           "credit_name,\n"
           "        CAST(c.Amount AS NUMERIC) AS amount, CAST(NULL AS NUMERIC) AS quantity\n"
           "        FROM UNNEST(x_Credits) AS c WHERE credit_form != '')\n"
           "    ) AS entries\n"
           "  FROM (SELECT *,\n"
           "    CASE\n"
           "      WHEN ABS(off) < "
        + least + " THEN ''\n      WHEN (" + isNet + ") AND NOT (" + isGross + ") THEN 'net'\n      WHEN (" + isGross
        + ") AND NOT (" + isNet
        + ") THEN 'gross'\n"
          "      ELSE 'unclear' END AS credit_form\n"
          "  FROM (SELECT\n"
          "    FORMAT_TIMESTAMP('%Y-%m-%d', ChargePeriodStart, 'UTC') AS day,\n"
          "    SubAccountId AS project_id,\n"
          "    SubAccountName AS project_name,\n"
          "    ServiceName AS service,\n"
          "    SkuId AS sku_id,\n"
          "    ChargeDescription AS sku,\n"
          "    RegionId AS region,\n"
          "    AvailabilityZone AS zone,\n"
          "    ResourceId AS resource,\n"
          "    ResourceName AS resource_name,\n    "
        + focusSystemLabel("machine_spec", "machine") + ",\n    "
        + focusSystemLabel("is_unused_reservation", "unused_reservation") + ",\n    x_CostType AS cost_type,\n    "
        + focusLabels("x_Labels", "labels") + ",\n    " + focusLabels("x_Tags", "tags") + ",\n    "
        + focusLabels("x_ProjectLabels", "project_labels")
        + ",\n    LOWER(PricingUnit) AS unit,\n"
          "    BillingCurrency AS currency,\n"
          "    IFNULL((SELECT SUM(CAST(c.Amount AS NUMERIC)) FROM UNNEST(x_Credits) AS c), 0) AS off,\n"
          "    CAST(BilledCost AS NUMERIC) AS BilledCost, CAST(ContractedCost AS NUMERIC) AS ContractedCost,\n"
          "    CAST(EffectiveCost AS NUMERIC) AS EffectiveCost, PricingQuantity, x_Credits\n"
          "  FROM `"
        + settings.identity()
        + "`\n  WHERE _PARTITIONTIME >= @from AND _PARTITIONTIME < @until\n"
          "    AND FORMAT_TIMESTAMP('%Y%m', TIMESTAMP_ADD(BillingPeriodStart, INTERVAL 12 HOUR), 'UTC') = @month))\n";
}

std::string rowsOf(const BillSettings &settings)
{
    if (settings.isFocus())
        return focusRowsOf(settings);

    const std::string resource = settings.isDetailed()
        ? "resource.global_name AS resource,\n    resource.name AS resource_name"
        : "CAST(NULL AS STRING) AS resource,\n    CAST(NULL AS STRING) AS resource_name";
    return "  SELECT\n"
           "    FORMAT_TIMESTAMP('%Y-%m-%d', usage_start_time, 'UTC') AS day,\n"
           "    project.id AS project_id,\n"
           "    project.name AS project_name,\n"
           "    service.description AS service,\n"
           "    sku.id AS sku_id,\n"
           "    sku.description AS sku,\n"
           "    IFNULL(location.region, location.location) AS region,\n"
           "    location.zone AS zone,\n    "
        + resource + ",\n    " + systemLabel("machine_spec", "machine") + ",\n    "
        + systemLabel("is_unused_reservation", "unused_reservation") + ",\n    cost_type,\n    "
        + labelsOf("labels", "labels") + ",\n    " + labelsOf("tags", "tags") + ",\n    "
        + labelsOf("project.labels", "project_labels")
        + ",\n    usage.pricing_unit AS unit,\n"
          "    currency,\n"
          "    '' AS credit_form,\n"
          "    ARRAY_CONCAT(\n"
          "      [STRUCT('' AS credit, '' AS credit_name, CAST(cost AS NUMERIC) AS amount,\n"
          "        SAFE_CAST(usage.amount_in_pricing_units AS NUMERIC) AS quantity)],\n"
          "      ARRAY(SELECT AS STRUCT IFNULL(c.type, 'CREDIT') AS credit, IFNULL(c.full_name, c.name) AS "
          "credit_name,\n"
          "        CAST(c.amount AS NUMERIC) AS amount, CAST(NULL AS NUMERIC) AS quantity FROM UNNEST(credits) AS c)\n"
          "    ) AS entries\n"
          "  FROM `"
        + settings.identity()
        + "`\n  WHERE _PARTITIONTIME >= @from AND _PARTITIONTIME < @until AND invoice.month = @month\n";
}

std::string timestampText(base::UtcTime t)
{
    return dateText(t) + " 00:00:00+00:00"; // days only
}

Json parameterOf(const char *name, const char *type, const std::string &value)
{
    return {{"name", name}, {"parameterType", {{"type", type}}}, {"parameterValue", {{"value", value}}}};
}

} // namespace

std::string dateText(base::UtcTime day)
{
    constexpr std::size_t kDate = 10;
    return base::toRfc3339(day).substr(0, kDate);
}

BillQuery queryOf(const BillSettings &settings, const base::TimeRange &month)
{
    constexpr auto kAmount = static_cast<std::size_t>(BillColumn::Amount);
    constexpr auto kCredit = static_cast<std::size_t>(BillColumn::Credit);
    std::string names;
    for (std::size_t i = 0; i < kAmount; ++i)
        names += (i > 0 ? ", " : "") + std::string(i >= kCredit ? "entry." : "") + std::string(kBillColumns[i]);
    BillQuery query;
    query.sql = "SELECT " + names + ",\n  SUM(entry.amount) AS amount, SUM(entry.quantity) AS quantity\nFROM (\n"
        + rowsOf(settings) + ") AS line, UNNEST(line.entries) AS entry\nGROUP BY " + names
        + "\nHAVING SUM(entry.amount) != 0";
    const std::string first = dateText(month.start);
    query.month = first.substr(0, 4) + first.substr(5, 2);
    query.partitions = {month.start - kBefore, format::nextMonthStart(month.end) + kSettles};
    return query;
}

std::string queryBody(const BillQuery &query, const BillSettings &settings, bool isDryRun, const std::string &id)
{
    Json body{{"query", query.sql},
              {"useLegacySql", false}, // the default is true
              {"maxResults", kMostRowsOfPage},
              {"timeoutMs", kAnswerWait},
              {"maximumBytesBilled", std::to_string(settings.mostScanned)},
              {"useQueryCache", true},
              {"parameterMode", "NAMED"},
              {"queryParameters",
               Json::array({parameterOf("month", "STRING", query.month),
                            parameterOf("from", "TIMESTAMP", timestampText(query.partitions.start)),
                            parameterOf("until", "TIMESTAMP", timestampText(query.partitions.end))})}};
    if (isDryRun)
        body["dryRun"] = true;
    else
        body["requestId"] = id;
    return body.dump();
}

} // namespace gpuledger::gcp
