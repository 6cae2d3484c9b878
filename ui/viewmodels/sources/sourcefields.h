// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/sourcekind.h"
#include "app/services/config/configedit.h"

#include <QString>

#include <map>
#include <string>
#include <utility>
#include <vector>

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

    QString kind; // empty: the first that is typed here
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
    std::map<std::string, QString> options; // other settings of the kind, by their key

    friend bool operator==(const SourceFields &, const SourceFields &) = default;
};

// The fields of a source as it is configured; pure functions, any thread.
SourceFields fieldsOf(const model::SourceSettings &source, const ports::SourceKind &kind);
// "auth" as the fields say it, key by key; empty: none, or as the file has it.
services::NewSource::Parts authOf(const SourceFields &fields, const ports::SourceKind &kind);
// The settings of the kind that have no place of their own in a source, as the fields say them, in the kind's order.
std::vector<std::pair<std::string, QString>> optionsOf(const SourceFields &fields, const ports::SourceKind &kind);
// Of this type, where the dialog asks for it; else null.
const ports::SourceField *typedField(const ports::SourceKind &kind, ports::SourceField::Type type);
// A setting that is one line among SourceFields::options.
bool isOption(const ports::SourceField &field);
// What was typed, without the spaces around it.
std::string typedText(const QString &text);
// The path as a reference to a file; empty stays empty.
std::string fileReference(const QString &path);
// As AWS writes them: "eu-central-1".
bool isRegion(const QString &text);
// True for a kind that is typed into the dialog: a server, or a platform. Files are written into the configuration.
bool isTypedKind(const ports::SourceKind &kind);

} // namespace gpuledger::ui
