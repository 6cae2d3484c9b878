// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/sourcefields.h"

#include <QStringList>

#include <algorithm>

namespace gpuledger::ui {

using Access = SourceFields::Access;
using Keeper = SourceFields::Keeper;

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

bool isPlatformKind(const QString &kind)
{
    return kind == QLatin1String(kKubernetesKind) || kind == QLatin1String(kAwsKind);
}

SourceFields fieldsOf(const model::SourceSettings &source)
{
    using Kind = model::AuthSettings::Kind;
    SourceFields fields;
    fields.kind = QString::fromStdString(source.kind);
    fields.url = QString::fromStdString(source.url);
    fields.name = QString::fromStdString(source.name);
    fields.cluster = QString::fromStdString(source.cluster);
    fields.authority = QString::fromStdString(source.caFile);
    fields.mayStop = source.mayStop;
    const auto option = [&](const char *key) {
        const auto at = source.options.find(key);
        return at == source.options.end() ? QString() : QString::fromStdString(at->second);
    };
    fields.kubeconfig = option(kKubeconfigKey);
    fields.context = option(kContextKey);
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

services::NewSource::Parts authOf(const SourceFields &fields)
{
    if (fields.kind == QLatin1String(kAwsKind))
        return signedAuth(fields);
    if (isPlatformKind(fields.kind))
        return {}; // its kubeconfig says
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
