// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/confignode.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <sstream>

namespace gpuledger::services {

namespace {

using ports::SourceField;
using ports::SourceKind;
using Type = ports::SourceField::Type;

std::vector<std::string> namesOf(const ports::SourceKinds &kinds)
{
    std::vector<std::string> names;
    for (const SourceKind &kind : kinds)
        names.push_back(kind.kind);
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
        value.problem("must start with https:// or http://, for example https://prometheus.example.org");
        return;
    }
    const std::string_view host = std::string_view(*text).substr(from, text->find_first_of("/?#", from) - from);
    if (host.find('@') != std::string_view::npos) {
        value.problem("contains a user name or password; put them under auth: { type: basic, user: NAME, password: "
                      "keychain:NAME }");
        return;
    }
    if (text->find_first_of("?#") != std::string::npos) {
        value.problem("must not contain ? or #; a token goes under auth");
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
            one.problem("contains a credential; put a reference to it under auth");
        else if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }))
            one.problem("must be a single line of plain text");
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
        value.problem("must contain read: a source that can't be read provides nothing");
}

std::string lengthText(std::int64_t seconds)
{
    return seconds % 60 == 0 ? std::to_string(seconds / 60) + 'm' : std::to_string(seconds) + 's';
}

// Checks a value that is stored as written.
void checkOption(const ConfigValue &value, const SourceField &field)
{
    const bool anyNumber = field.low == 0 && field.high == 0;
    if (field.type == Type::Duration) {
        const auto length = value.duration();
        if (length && !anyNumber && (*length < base::Seconds{field.low} || *length > base::Seconds{field.high}))
            value.problem("must be from " + lengthText(field.low) + " to " + lengthText(field.high));
    } else if (field.type == Type::Whole) {
        (void)value.whole(anyNumber ? std::numeric_limits<std::int64_t>::min() : field.low,
                          anyNumber ? std::numeric_limits<std::int64_t>::max() : field.high);
    } else if (field.type == Type::Currency) {
        if (!value.node.IsScalar() || !base::Currency::parse(value.node.Scalar()))
            value.problem("must be three capital letters, such as EUR");
    }
}

// The forms of access that the server does not know.
void checkLogin(const ConfigValue &value, const SourceField &field, model::AuthSettings::Kind login)
{
    constexpr std::array<const char *, 5> kNames{"none", "basic", "bearer", "mtls", "sigv4"}; // by Kind
    const std::string name = kNames[static_cast<std::size_t>(login)];
    std::istringstream words{std::string(field.logins)};
    const std::vector<std::string> taken{std::istream_iterator<std::string>(words), {}};
    if (std::find(taken.begin(), taken.end(), name) != taken.end())
        return;
    value.problem((taken.size() == 1 ? "must be of type " : "must be of one of the types ") + joined(taken)
                  + ", for example " + std::string(field.example));
}

void readField(const ConfigValue &value, const SourceField &field, model::SourceSettings &source)
{
    const std::size_t before = value.reading->problems.size();
    switch (field.type) {
    case Type::Url:
        return readUrl(value, source.url);
    case Type::Path:
        source.path = value.path().value_or("");
        return;
    case Type::Access:
    case Type::Signed:
        source.auth = readAuth(value);
        if (value.reading->problems.size() == before)
            checkLogin(value, field, source.auth.kind);
        return;
    case Type::Authority:
        return readAuthority(value, source.caFile);
    case Type::Headers:
        return readHeaders(value, source.headers);
    case Type::Text:
    case Type::Kubeconfig:
    case Type::KubeContext:
    case Type::Duration:
    case Type::Whole:
    case Type::Currency:
        break;
    }
    source.options.emplace(field.key, value.text(field.example).value_or(""));
    if (value.reading->problems.size() == before)
        checkOption(value, field);
}

void readFields(ConfigMap &map, const SourceKind &kind, model::SourceSettings &source)
{
    for (const SourceField &field : kind.fields) {
        const std::string example = std::string(field.key) + ": " + std::string(field.example);
        if (const auto value = field.isRequired ? map.require(field.key, example) : map.take(field.key))
            readField(*value, field, source);
    }
}

// The settings of every kind, to recognise a setting that belongs to another kind.
std::vector<std::string> keysOf(const ports::SourceKinds &kinds)
{
    std::vector<std::string> keys;
    for (const SourceKind &kind : kinds) {
        for (const SourceField &field : kind.fields)
            keys.emplace_back(field.key);
    }
    return keys;
}

} // namespace

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

void readAuthority(const ConfigValue &value, std::string &caFile)
{
    ConfigMap fields(value, "{ ca: file:ca.pem }");
    if (const auto ca = fields.take("ca"))
        caFile = ca->path().value_or("");
    for (const char *off : {"insecure", "insecure_skip_verify", "verify", "skip_verify"}) {
        if (const auto wrong = fields.take(off))
            wrong->problem("does not exist: certificates are always verified; set your own certificate authority with "
                           "ca: file:ca.pem");
    }
    fields.finish();
}

model::SourceSettings readSource(const ConfigValue &value, const ports::SourceKinds &kinds)
{
    model::SourceSettings source;
    ConfigMap map(value, "{ name: prod, kind: prometheus, url: https://prometheus.example.org }");
    if (!map.valid())
        return source;
    if (const auto name = map.require("name", "name: prod"))
        source.name = name->text("prod").value_or("");
    const auto kindValue = map.require("kind", "kind: prometheus");
    const auto name = kindValue ? kindValue->choice(namesOf(kinds)) : std::nullopt;
    const SourceKind *const kind = name ? ports::findKind(kinds, *name) : nullptr;
    if (!kind)
        return source; // without a kind, the allowed keys are unknown
    source.kind = kind->kind;
    readFields(map, *kind, source);
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
    map.finish(keysOf(kinds));
    return source;
}

namespace {

// Exporter mappings are written in YAML, but the connector reads JSON, so both forms are converted to JSON.
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
