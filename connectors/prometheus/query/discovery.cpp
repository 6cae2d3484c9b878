// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/query/discovery.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

namespace gpuledger::prometheus {

namespace {

using base::ErrorCode;

// Prometheus-compatible servers differ only in small details.
ServerInfo fromBuildInfo(const nlohmann::json &data)
{
    const std::string version = base::printable(format::textOf(data, "version"), 64);
    const std::string application = format::textOf(data, "application");
    if (application.find("Mimir") != std::string::npos)
        return {Product::Mimir, "Grafana Mimir " + version};
    if (data.empty() || (version == "2.24.0" && format::textOf(data, "revision").empty()))
        return {Product::VictoriaMetrics, "VictoriaMetrics"}; // identifies itself, whatever its version
    if (version.starts_with("0."))
        return {Product::Thanos, "Thanos " + version};
    if (version.empty())
        return {Product::Unknown, {}};
    return {Product::Prometheus, "Prometheus " + version};
}

std::string_view stringOf(const nlohmann::json &object, const char *key)
{
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? std::string_view(at->get_ref<const std::string &>())
                                                 : std::string_view();
}

base::Error nothingThere(const Connection &connection, base::TimeRange range)
{
    const std::string why = connection.warnings.empty() ? "" : " (" + *connection.warnings.begin() + ')';
    return base::Error::make(ErrorCode::NotFound,
                             http::shownUrl(connection.endpoint.base) + " responds, but has no metrics at all from "
                                 + base::toRfc3339(range.start) + " to " + base::toRfc3339(range.end) + why
                                 + "; the data stored so far is kept",
                             base::Remedy::CheckPrometheusData);
}

} // namespace

base::Result<ServerInfo> askServer(Connection &connection, std::stop_token stop)
{
    const ServerInfo unknown{Product::Unknown, {}};
    auto body = fetchBody(connection, {"status/buildinfo", {}, false}, std::move(stop));
    if (!body) {
        const ErrorCode code = body.error().code;
        if (code == ErrorCode::NotFound || code == ErrorCode::Forbidden)
            return unknown; // some proxies and services offer queries only
        return base::fail(std::move(body).error());
    }
    const auto json = format::parseJson(*body);
    if (!json || !json->is_object())
        return base::fail(ErrorCode::Parse,
                          http::shownUrl(connection.endpoint.base) + " does not implement the Prometheus API"
                              + (json ? "" : ": " + json.error().text),
                          base::Remedy::CheckPrometheusPath);
    if (!json->contains("data") || !(*json)["data"].is_object())
        return unknown;
    return fromBuildInfo((*json)["data"]);
}

base::Result<void> askStores(Connection &connection, std::stop_token stop)
{
    if (connection.endpoint.product != Product::Thanos && connection.endpoint.product != Product::Unknown)
        return {};
    const auto body = fetchBody(connection, {"stores", {}, false}, std::move(stop));
    if (!body) {
        const ErrorCode code = body.error().code;
        const bool other = code == ErrorCode::NotFound || code == ErrorCode::Forbidden || code == ErrorCode::Server
            || code == ErrorCode::Parse; // another product, or not meant for us
        return other ? base::Result<void>() : base::Result<void>(base::fail(body.error()));
    }
    const auto json = format::parseJson(*body);
    if (!json || !json->is_object() || !json->contains("data") || !(*json)["data"].is_object())
        return {};
    for (const auto &[kind, stores] : (*json)["data"].items()) {
        for (const auto &store : stores) {
            if (store.is_object() && !stringOf(store, "lastError").empty())
                connection.warnings.insert("Thanos has lost " + base::printable(kind, 32) + " \""
                                           + base::printable(stringOf(store, "name"), 128)
                                           + "\": data that only this store has is missing");
        }
    }
    return {};
}

base::Result<std::set<std::string>> askNames(Connection &connection, base::TimeRange range, std::stop_token stop)
{
    const ApiCall call{
        "label/__name__/values",
        {{"start", std::to_string(base::toUnix(range.start))}, {"end", std::to_string(base::toUnix(range.end))}},
        false};
    auto body = fetchBody(connection, call, std::move(stop));
    if (!body)
        return base::fail(std::move(body).error());
    const auto json = format::parseJson(*body);
    if (!json || !json->is_object() || format::textOf(*json, "status") != "success" || !json->contains("data")
        || !(*json)["data"].is_array())
        return base::fail(ErrorCode::Parse,
                          http::shownUrl(connection.endpoint.base) + " returned no list of metric names",
                          base::Remedy::CheckPrometheusPath);
    if (json->contains("warnings") && (*json)["warnings"].is_array()) {
        for (const auto &warning : (*json)["warnings"]) {
            if (warning.is_string())
                connection.warnings.insert(base::printableLine(warning.get_ref<const std::string &>(), 300));
        }
    }
    if (json->contains("isPartial") && (*json)["isPartial"] == true)
        connection.warnings.insert("the server reports that its response is partial");
    std::set<std::string> names;
    for (const auto &name : (*json)["data"]) {
        if (name.is_string())
            names.insert(name.get<std::string>());
    }
    return names;
}

base::Result<std::set<std::string>> askSomeNames(Connection &connection, base::TimeRange range, std::stop_token stop)
{
    auto names = askNames(connection, range, std::move(stop));
    if (names && names->empty())
        return base::fail(nothingThere(connection, range));
    return names;
}

} // namespace gpuledger::prometheus
