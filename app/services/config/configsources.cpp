// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/confignode.h"

#include <algorithm>
#include <array>

namespace gpuledger::services {

namespace {

// Which keys go with a kind of source, beside those that every source has.
struct KindKeys {
    std::string_view kind;
    bool url = false; // needed
    bool path = false; // needed
    bool connection = false; // auth, tls, headers are allowed
    std::vector<std::string> options;
};

const std::vector<KindKeys> &kinds()
{
    static const std::vector<KindKeys> kKinds{
        {"prometheus", true, false, true, {"timeout"}},
        {"opencost", true, false, true, {"timeout", "currency"}},
        {"kubernetes", false, false, true, {"kubeconfig", "context"}},
        {"focus", false, true, false, {}},
        {"aws", false, false, true, {}},
        {"azure", false, false, true, {}},
        {"gcp", false, false, true, {}},
        {"lambda", false, false, true, {}},
        {"runpod", false, false, true, {}},
        {"vastai", false, false, true, {}},
        {"mlflow", true, false, true, {}},
        {"wandb", false, false, true, {}},
        {"demo", false, false, false, {"seed", "gpus", "days"}},
        {"demo-bill", false, false, false, {"seed", "gpus", "days"}},
    };
    return kKinds;
}

std::vector<std::string> kindNames()
{
    std::vector<std::string> names;
    for (const KindKeys &k : kinds())
        names.emplace_back(k.kind);
    return names;
}

void readUrl(const ConfigValue &value, std::string &url)
{
    const auto text = value.text("https://prometheus.example.org");
    if (!text)
        return;
    const bool secure = text->starts_with("https://");
    const std::size_t from = secure ? 8 : 7;
    if ((!secure && !text->starts_with("http://")) || text->size() == from) {
        value.problem("must begin with https:// or http://, for example https://prometheus.example.org");
        return;
    }
    const std::string_view host = std::string_view(*text).substr(from, text->find_first_of("/?#", from) - from);
    if (host.find('@') != std::string_view::npos) {
        value.problem("carries a user or a password; put them under auth: { type: basic, user: NAME, password: "
                      "keychain:NAME }");
        return;
    }
    if (text->find_first_of("?#") != std::string::npos) {
        value.problem("must end before the ? or #; a token goes under auth");
        return;
    }
    url = *text;
}

bool isHeaderName(std::string_view name)
{
    static constexpr std::string_view kCharacters =
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return !name.empty() && name.find_first_not_of(kCharacters) == std::string_view::npos;
}

void readBasicAuth(ConfigMap &map, model::AuthSettings &auth)
{
    if (const auto user = map.require("user", "user: reader"))
        auth.user = user->text("reader").value_or("");
    if (const auto password = map.require("password", "password: keychain:prom-prod"))
        auth.password = password->secret().value_or(model::SecretRef{});
}

void readMtlsAuth(ConfigMap &map, model::AuthSettings &auth)
{
    if (const auto certificate = map.require("certificate", "certificate: file:client.pem"))
        auth.certificate = certificate->path().value_or("");
    const auto key = map.require("key", "key: file:client.key");
    if (!key)
        return;
    auth.key = key->secret().value_or(model::SecretRef{});
    if (auth.key.kind != model::SecretRef::Kind::File && auth.key.kind != model::SecretRef::Kind::None)
        key->problem("must be a file that only you can read, for example file:client.key");
}

model::AuthSettings readAuth(const ConfigValue &value)
{
    using Kind = model::AuthSettings::Kind;
    model::AuthSettings auth;
    ConfigMap map(value, "{ type: bearer, token: keychain:prom-prod }");
    if (!map.valid())
        return auth;
    const auto type = map.require("type", "type: bearer");
    const auto name = type ? type->choice({"none", "basic", "bearer", "mtls", "sigv4"}) : std::nullopt;
    if (!name)
        return auth;
    if (*name == "basic") {
        auth.kind = Kind::Basic;
        readBasicAuth(map, auth);
    } else if (*name == "bearer") {
        auth.kind = Kind::Bearer;
        if (const auto token = map.require("token", "token: keychain:prom-prod"))
            auth.token = token->secret().value_or(model::SecretRef{});
        if (const auto header = map.take("header")) {
            auth.header = header->text("X-API-KEY").value_or("");
            if (!isHeaderName(auth.header))
                header->problem("is not a header name");
        }
    } else if (*name == "mtls") {
        auth.kind = Kind::Mtls;
        readMtlsAuth(map, auth);
    } else if (*name == "sigv4") {
        auth.kind = Kind::SigV4;
        if (const auto profile = map.take("profile"))
            auth.profile = profile->text("default").value_or("");
        if (const auto region = map.require("region", "region: us-east-1"))
            auth.region = region->text("us-east-1").value_or("");
    }
    map.finish({"user", "password", "token", "header", "certificate", "key", "profile", "region"});
    return auth;
}

bool carriesCredential(std::string_view header)
{
    std::string lower(header);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
    });
    static constexpr std::array<std::string_view, 8> kMarks{"authorization", "cookie", "api-key",  "apikey",
                                                            "token",         "secret", "password", "credential"};
    return std::any_of(kMarks.begin(), kMarks.end(),
                       [&](std::string_view mark) { return lower.find(mark) != std::string::npos; });
}

void readHeaders(const ConfigValue &value, std::map<std::string, std::string> &headers)
{
    const auto labels = value.labels("{ X-Scope-OrgID: ml }");
    if (!labels)
        return;
    for (const auto &[name, text] : *labels) {
        const ConfigValue one{value.node[name], value.key + '.' + name, value.reading};
        if (!isHeaderName(name))
            one.problem("is not a header name");
        else if (carriesCredential(name))
            one.problem("carries a credential; put it under auth, as a reference");
        else if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }))
            one.problem("must be one line of plain text");
        else
            headers.emplace(name, text);
    }
}

void readCluster(const ConfigValue &value, model::SourceSettings &source)
{
    if (!value.node.IsMap()) {
        source.cluster = value.text("prod, or { label: cluster }").value_or("");
        return;
    }
    ConfigMap map(value, "{ label: cluster }");
    if (const auto label = map.require("label", "{ label: cluster }"))
        source.clusterLabel = label->text("cluster").value_or("");
    map.finish();
}

void readRights(const ConfigValue &value, model::SourceSettings &source)
{
    source.mayRead = source.mayStop = false;
    for (const ConfigValue &right : value.list("[read] or [read, stop]")) {
        const auto name = right.choice({"read", "stop"});
        source.mayRead |= name == "read";
        source.mayStop |= name == "stop";
    }
    if (value.node.IsSequence() && !source.mayRead)
        value.problem("must contain read: a source that can't be read gives nothing");
}

void readConnection(ConfigMap &map, model::SourceSettings &source)
{
    if (const auto auth = map.take("auth"))
        source.auth = readAuth(*auth);
    if (const auto tls = map.take("tls")) {
        ConfigMap fields(*tls, "{ ca: file:ca.pem }");
        if (const auto ca = fields.take("ca"))
            source.caFile = ca->path().value_or("");
        for (const char *off : {"insecure", "insecure_skip_verify", "verify", "skip_verify"}) {
            if (const auto value = fields.take(off))
                value->problem("does not exist: certificates are always verified; name your own authority with ca: "
                               "file:ca.pem");
        }
        fields.finish();
    }
    if (const auto headers = map.take("headers"))
        readHeaders(*headers, source.headers);
}

// How large the demo fleet is; connectors/demo has the same limits.
void checkDemoCount(const std::string &option, const ConfigValue &value)
{
    if (option == "gpus")
        (void)value.integer(1, 20'000);
    if (option == "days")
        (void)value.integer(1, 400);
    if (option == "seed")
        (void)value.number(0, 1e12);
}

void checkTimeout(const ConfigValue &value)
{
    const auto timeout = value.duration();
    if (timeout && (*timeout < base::Seconds{2} || *timeout > base::Seconds{600}))
        value.problem("must be from 2s to 10m");
}

void readKindKeys(ConfigMap &map, const KindKeys &kind, model::SourceSettings &source)
{
    if (kind.url) {
        if (const auto url = map.require("url", "url: https://" + source.kind + ".example.org"))
            readUrl(*url, source.url);
    } else if (kind.connection) {
        if (const auto url = map.take("url"))
            readUrl(*url, source.url);
    }
    if (kind.path) {
        if (const auto path = map.require("path", "path: ~/billing/focus"))
            source.path = path->path().value_or("");
    }
    if (kind.connection)
        readConnection(map, source);
    for (const std::string &option : kind.options) {
        const auto value = map.take(option);
        if (!value)
            continue;
        source.options.emplace(option, value->text("1").value_or(""));
        checkDemoCount(option, *value);
        if (option == "timeout")
            checkTimeout(*value);
        if (option == "currency" && !base::Currency::parse(source.options[option]))
            value->problem("must be three capital letters, such as EUR");
    }
}

} // namespace

model::SourceSettings readSource(const ConfigValue &value)
{
    model::SourceSettings source;
    ConfigMap map(value, "{ name: prod, kind: prometheus, url: https://prometheus.example.org }");
    if (!map.valid())
        return source;
    if (const auto name = map.require("name", "name: prod"))
        source.name = name->text("prod").value_or("");
    const auto kindValue = map.require("kind", "kind: prometheus");
    const auto kind = kindValue ? kindValue->choice(kindNames()) : std::nullopt;
    if (!kind)
        return source; // which keys go with it can't be told
    source.kind = *kind;
    readKindKeys(map, *std::find_if(kinds().begin(), kinds().end(), [&](const KindKeys &k) { return k.kind == *kind; }),
                 source);
    if (const auto cluster = map.take("cluster"))
        readCluster(*cluster, source);
    if (const auto first = map.take("first_sync")) {
        source.firstSync = first->duration().value_or(source.firstSync);
        if (source.firstSync < base::kBucket || source.firstSync > 3660 * base::kDay)
            first->problem("must be from 5m to 3660d");
    }
    if (const auto every = map.take("every")) {
        source.every = every->duration().value_or(source.every);
        if (source.every < base::Seconds{30} || source.every > 30 * base::kDay)
            every->problem("must be from 30s to 30d");
    }
    if (const auto rights = map.take("rights"))
        readRights(*rights, source);
    map.finish({"url", "path", "auth", "tls", "headers", "timeout", "currency", "seed", "gpus", "days", "kubeconfig",
                "context"});
    return source;
}

namespace {

// Exporter mappings are written in YAML and read as JSON by the connector, so that both forms are one.
void writeJson(const YAML::Node &node, std::string &out)
{
    if (node.IsMap() || node.IsSequence()) {
        const bool map = node.IsMap();
        out += map ? '{' : '[';
        bool first = true;
        for (const auto &entry : node) {
            out += first ? "" : ",";
            first = false;
            if (map) {
                writeJson(entry.first, out);
                out += ':';
                writeJson(entry.second, out);
            } else {
                writeJson(entry, out);
            }
        }
        out += map ? '}' : ']';
        return;
    }
    const std::string &text = node.IsScalar() ? node.Scalar() : "null";
    const bool literal = node.IsNull() || text == "true" || text == "false";
    if (literal && node.Tag() != "!") {
        out += text;
        return;
    }
    static constexpr char kHex[] = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += "\\u00";
            out += kHex[static_cast<unsigned char>(c) >> 4];
            out += kHex[static_cast<unsigned char>(c) & 15];
        } else {
            out += c;
        }
    }
    out += '"';
}

} // namespace

model::ExporterMappingText readExporter(const ConfigValue &value)
{
    model::ExporterMappingText mapping;
    ConfigMap map(value, "{ name: my-exporter, … }; the built-in ones show the keys");
    if (!map.valid())
        return mapping;
    if (const auto name = map.require("name", "name: my-exporter"))
        mapping.name = name->text("my-exporter").value_or("");
    writeJson(value.node, mapping.json);
    return mapping;
}

} // namespace gpuledger::services
