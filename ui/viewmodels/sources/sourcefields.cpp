// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/sourcefields.h"

#include <QStringList>

#include <algorithm>

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
    return kind.needs(ports::SourceField::Type::Url) || kind.onlyStops();
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

SourceFields fieldsOf(const model::SourceSettings &source, const ports::SourceKind &kind)
{
    using Kind = model::AuthSettings::Kind;
    SourceFields fields;
    fields.kind = QString::fromStdString(source.kind);
    fields.url = QString::fromStdString(source.url);
    fields.name = QString::fromStdString(source.name);
    fields.cluster = QString::fromStdString(source.cluster);
    fields.authority = QString::fromStdString(source.caFile);
    fields.mayStop = source.mayStop;
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
