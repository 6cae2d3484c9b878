// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/sourcefields.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace gpuledger::ui {

using Access = SourceFields::Access;
using Keeper = SourceFields::Keeper;
using Type = ports::SourceField::Type;

namespace {

constexpr qsizetype kLongestRegion = 32;

std::string reference(const SourceFields &fields)
{
    const std::string kept = typedText(fields.kept);
    if (kept.empty())
        return {};
    switch (fields.keeper) {
    case Keeper::Keychain:
        return "keychain:" + kept;
    case Keeper::Environment:
        return "env:" + kept;
    case Keeper::File:
        return fileReference(fields.kept);
    case Keeper::Command:
        return "command:" + kept;
    }
    return {};
}

void readReference(const model::SecretRef &reference, SourceFields &fields)
{
    using Kind = model::SecretRef::Kind;
    fields.kept = QString::fromStdString(reference.value);
    switch (reference.kind) {
    case Kind::None:
        break;
    case Kind::Keychain:
        fields.keeper = Keeper::Keychain;
        break;
    case Kind::Environment:
        fields.keeper = Keeper::Environment;
        break;
    case Kind::File:
        fields.keeper = Keeper::File;
        break;
    case Kind::Command: {
        QStringList words;
        for (const std::string &word : reference.command)
            words << QString::fromStdString(word);
        fields.keeper = Keeper::Command;
        fields.kept = words.join(QLatin1Char(' '));
        break;
    }
    }
}

// A setting that SourceSettings keeps under its key.
bool isKeptAsOption(Type type)
{
    return type == Type::Text || type == Type::Duration || type == Type::Whole || type == Type::Currency
        || type == Type::Kubeconfig || type == Type::KubeContext;
}

bool hasSeparator(const std::map<std::string, std::string> &headers)
{
    return std::any_of(headers.begin(), headers.end(),
                       [](const auto &header) { return header.second.find(';') != std::string::npos; });
}

QString rareValue(const model::SourceSettings &source, const ports::SourceField &field)
{
    switch (field.type) {
    case Type::Url:
        return QString::fromStdString(source.url);
    case Type::Path:
        return QString::fromStdString(source.path);
    case Type::Authority:
        return QString::fromStdString(source.caFile);
    case Type::Headers:
        return headersText(source.headers);
    default:
        break;
    }
    const auto at = source.options.find(std::string(field.key));
    return at == source.options.end() ? QString() : QString::fromStdString(at->second);
}

services::NewSource::Parts signedAuth(const SourceFields &fields)
{
    services::NewSource::Parts parts{{"type", "sigv4"}};
    if (const std::string profile = typedText(fields.profile); !profile.empty())
        parts.emplace_back("profile", profile);
    parts.emplace_back("region", typedText(fields.region));
    return parts;
}

} // namespace

std::string typedText(const QString &text)
{
    return text.trimmed().toStdString();
}

std::string fileReference(const QString &path)
{
    const std::string text = typedText(path);
    return text.empty() || text.starts_with("file:") ? text : "file:" + text;
}

bool isRegion(const QString &text)
{
    const auto fits = [](QChar c) {
        return (c >= QLatin1Char('a') && c <= QLatin1Char('z')) || c.isDigit() || c == QLatin1Char('-');
    };
    return !text.isEmpty() && text.size() <= kLongestRegion && std::all_of(text.begin(), text.end(), fits)
        && !text.startsWith(QLatin1Char('-')) && !text.endsWith(QLatin1Char('-'));
}

bool isTypedKind(const ports::SourceKind &kind)
{
    return !kind.has(ports::Capability::Simulated);
}

bool namesCluster(const ports::SourceKind &kind)
{
    return kind.stops() || (!kind.tellsBills() && !kind.isPlatform());
}

QString exampleIn(const ports::SourceField &field, const QString &key)
{
    QString map = QString::fromUtf8(field.example.data(), static_cast<qsizetype>(field.example.size()));
    map.remove(QLatin1Char('{')).remove(QLatin1Char('}'));
    for (const QString &one : map.split(QLatin1Char(','))) {
        if (one.section(QLatin1Char(':'), 0, 0).trimmed() == key)
            return one.section(QLatin1Char(':'), 1).trimmed();
    }
    return {};
}

const ports::SourceField *typedField(const ports::SourceKind &kind, ports::SourceField::Type type)
{
    const auto at = std::find_if(kind.fields.begin(), kind.fields.end(),
                                 [&](const ports::SourceField &one) { return one.type == type && !one.isRare; });
    return at == kind.fields.end() ? nullptr : &*at;
}

bool isOption(const ports::SourceField &field)
{
    return !field.isRare
        && (field.type == Type::Text || field.type == Type::Duration || field.type == Type::Whole
            || field.type == Type::Currency);
}

std::vector<std::pair<std::string, QString>> optionsOf(const SourceFields &fields, const ports::SourceKind &kind)
{
    std::vector<std::pair<std::string, QString>> all;
    for (const ports::SourceField &field : kind.fields) {
        const std::string key(field.key);
        const auto typed = fields.options.find(key);
        if (field.type == Type::Kubeconfig)
            all.emplace_back(key, fields.kubeconfig);
        else if (field.type == Type::KubeContext)
            all.emplace_back(key, fields.context);
        else if (isOption(field))
            all.emplace_back(key, typed == fields.options.end() ? QString() : typed->second);
    }
    return all;
}

const ports::SourceField *missingField(const SourceFields &fields, const ports::SourceKind &kind)
{
    for (const ports::SourceField &field : kind.fields) {
        const auto typed = fields.options.find(std::string(field.key));
        const QString option = typed == fields.options.end() ? QString() : typed->second;
        const bool isPath = field.type == Type::Path && !field.isRare;
        if (field.isRequired && (isPath || isOption(field)) && (isPath ? fields.path : option).trimmed().isEmpty())
            return &field;
    }
    return nullptr;
}

std::vector<ports::SourceField> rareFields(const ports::SourceKind &kind)
{
    std::vector<ports::SourceField> all;
    for (const ports::SourceField &field : kind.fields) {
        if (field.isRare && field.type != Type::Access && field.type != Type::Signed)
            all.push_back(field);
    }
    return all;
}

QString rareText(const SourceFields &fields, const ports::SourceField &field)
{
    const auto at = fields.rare.find(std::string(field.key));
    return at == fields.rare.end() ? QString() : at->second;
}

void addRare(const SourceFields &fields, const ports::SourceField &field, services::NewSource &source)
{
    const QString text = rareText(fields, field);
    std::string value = typedText(text);
    if (value.empty())
        return;
    if (field.type == Type::Url)
        source.url = std::move(value);
    else if (field.type == Type::Path)
        source.path = std::move(value);
    else if (field.type == Type::Authority)
        source.ca = fileReference(text);
    else if (field.type == Type::Headers)
        source.headers = typedHeaders(text);
    else if (isKeptAsOption(field.type))
        source.options.emplace_back(field.key, std::move(value));
}

QString headersText(const std::map<std::string, std::string> &headers)
{
    QStringList all;
    for (const auto &[name, value] : headers)
        all << QString::fromStdString(name) + QLatin1Char('=') + QString::fromStdString(value);
    return all.join(QLatin1String("; "));
}

services::NewSource::Parts typedHeaders(const QString &text)
{
    services::NewSource::Parts parts;
    for (const QString &one : text.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        const std::string name = typedText(one.section(QLatin1Char('='), 0, 0));
        if (!name.empty())
            parts.emplace_back(name, typedText(one.section(QLatin1Char('='), 1)));
    }
    return parts;
}

SourceFields fieldsOf(const model::SourceSettings &source, const ports::SourceKind &kind)
{
    using Kind = model::AuthSettings::Kind;
    SourceFields fields;
    fields.kind = QString::fromStdString(source.kind);
    fields.url = QString::fromStdString(source.url);
    fields.path = QString::fromStdString(source.path);
    fields.name = QString::fromStdString(source.name);
    fields.cluster = QString::fromStdString(source.cluster);
    fields.authority = QString::fromStdString(source.caFile);
    fields.mayStop = source.mayStop;
    for (const ports::SourceField &field : rareFields(kind)) {
        const QString value = rareValue(source, field);
        if (field.type == Type::Headers && hasSeparator(source.headers))
            fields.onlyInFile.insert(std::string(field.key));
        else if (!value.isEmpty())
            fields.rare[std::string(field.key)] = value;
    }
    for (const ports::SourceField &field : kind.fields) {
        const auto at = source.options.find(std::string(field.key));
        if (at == source.options.end())
            continue;
        const QString value = QString::fromStdString(at->second);
        if (field.type == Type::Kubeconfig)
            fields.kubeconfig = value;
        else if (field.type == Type::KubeContext)
            fields.context = value;
        else if (isOption(field))
            fields.options[at->first] = value;
    }
    switch (source.auth.kind) {
    case Kind::None:
        break;
    case Kind::Basic:
        fields.access = Access::Basic;
        fields.user = QString::fromStdString(source.auth.user);
        readReference(source.auth.password, fields);
        break;
    case Kind::Bearer:
        fields.access = Access::Bearer;
        readReference(source.auth.token, fields);
        break;
    case Kind::Mtls:
        fields.access = Access::Certificate;
        fields.certificate = QString::fromStdString(source.auth.certificate);
        fields.key = QString::fromStdString(source.auth.key.value);
        break;
    case Kind::SigV4:
        fields.access = Access::Other;
        fields.region = QString::fromStdString(source.auth.region);
        fields.profile = QString::fromStdString(source.auth.profile);
        break;
    }
    return fields;
}

const char *accessName(Access access)
{
    constexpr std::array<const char *, 5> kNames{"none", "bearer", "basic", "mtls", "other"}; // no-tr: by Access
    return kNames[static_cast<std::size_t>(access)];
}

bool takesAccess(const ports::SourceKind &kind, Access access)
{
    const ports::SourceField *const field = typedField(kind, Type::Access);
    return !field || access == Access::Other || field->takesLogin(accessName(access));
}

Access takenAccess(const ports::SourceKind &kind, Access access)
{
    for (const Access one : {access, Access::None, Access::Bearer, Access::Basic, Access::Certificate}) {
        if (takesAccess(kind, one))
            return one;
    }
    return access;
}

services::NewSource::Parts authOf(const SourceFields &fields, const ports::SourceKind &kind)
{
    if (typedField(kind, Type::Signed))
        return signedAuth(fields);
    if (!typedField(kind, Type::Access))
        return {}; // a kubeconfig has its own, other kinds need none
    switch (fields.access) {
    case Access::None:
    case Access::Other:
        return {};
    case Access::Bearer:
        return {{"type", "bearer"}, {"token", reference(fields)}};
    case Access::Basic:
        return {{"type", "basic"}, {"user", typedText(fields.user)}, {"password", reference(fields)}};
    case Access::Certificate:
        return {
            {"type", "mtls"}, {"certificate", fileReference(fields.certificate)}, {"key", fileReference(fields.key)}};
    }
    return {};
}

} // namespace gpuledger::ui
