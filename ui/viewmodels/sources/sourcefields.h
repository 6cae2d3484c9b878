// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/config/configedit.h"

#include <QString>

#include <string>

namespace gpuledger::ui {

// What a person says about a source, as typed. A credential is never among it, only where it is kept.
struct SourceFields {
    enum class Access {
        None,
        Bearer,
        Basic,
        Certificate,
        Other
    }; // Other: as the file has it, of a form not typed here
    enum class Keeper { Keychain, Environment, File, Command }; // Command: likewise

    QString kind = QStringLiteral("prometheus");
    QString url;
    QString name;
    QString cluster; // empty: the source's name
    Access access = Access::None;
    QString user;
    Keeper keeper = Keeper::Keychain;
    QString kept; // name or path of what the keeper keeps
    QString certificate, key; // PEM files
    QString authority; // PEM file; empty: those of the system
    QString kubeconfig; // file; empty: the usual ones
    QString context; // of it; empty: its current one
    QString region, profile; // of AWS; profile empty: the credential chain of its tools
    bool mayStop = false; // of a platform

    friend bool operator==(const SourceFields &, const SourceFields &) = default;
};

// The fields of a source as it is configured; pure functions, any thread.
SourceFields fieldsOf(const model::SourceSettings &source);
// "auth" as the fields say it, key by key; empty: none, or as the file has it.
services::NewSource::Parts authOf(const SourceFields &fields);
// What was typed, without the spaces around it.
std::string typedText(const QString &text);
// The path as a reference to a file; empty stays empty.
std::string fileReference(const QString &path);
// As AWS writes them: "eu-central-1".
bool isRegion(const QString &text);
// True for the kinds that have no address and no credential of their own, but rights.
bool isPlatformKind(const QString &kind);

inline constexpr char kKubernetesKind[] = "kubernetes"; // no-tr: a kind
inline constexpr char kAwsKind[] = "aws"; // no-tr: a kind
inline constexpr char kKubeconfigKey[] = "kubeconfig"; // no-tr: a key
inline constexpr char kContextKey[] = "context"; // no-tr: a key

} // namespace gpuledger::ui
