// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/ports/sourcekind.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Changes the configuration file and keeps everything else in it byte for byte, including comments and line ends. Pure
// functions except those that take a FileChange or change a file; any thread. `kinds` are the supported source kinds,
// against which the text is checked before and after the change.
namespace gpuledger::services {

// A source as the user entered it, key by key; validated like the file itself. Empty values are left out.
struct NewSource {
    using Parts = std::vector<std::pair<std::string, std::string>>;
    std::string name, kind, url, path, cluster, clusterLabel;
    Parts auth; // "type", "token" …; credentials only by reference
    std::string ca;
    Parts headers;
    std::string timeout, firstSync, every;
    std::vector<std::string> rights;
    Parts options; // keys that belong to the kind
};

// The resulting settings. Fails with InvalidArgument, naming each problem's key; a credential is never repeated.
[[nodiscard]] base::Result<model::SourceSettings>
checkNewSource(const NewSource &source, const std::filesystem::path &folder, const ports::SourceKinds &kinds);

// `text` with the source appended to the list, in the style in which the list is written. An empty text becomes a whole
// configuration. Fails with InvalidConfig (the text is already invalid), Refused (the name is taken) or Unsupported
// (the list is written in a way that can't be extended without changing the rest).
[[nodiscard]] base::Result<std::string> withSource(std::string_view text, const NewSource &source,
                                                   const std::filesystem::path &file, const ports::SourceKinds &kinds);

// The values of a source that change. A value is named by its key, or by two keys inside a map ("auth", "token"). A key
// without a value and parts is removed.
struct SourceChange {
    struct Value {
        std::vector<std::string> way;
        std::optional<std::string> value = {};
        NewSource::Parts parts = {}; // a map that replaces the value
        std::vector<std::string> items = {}; // a list that replaces the value
    };
    model::SourceSettings before; // the source when the change was made
    model::SourceSettings after; // the source after the change
    std::vector<Value> values;
};
// `text` with the source changed. Fails with InvalidConfig (the text is invalid or would become so), StorageBusy (the
// source differs from `before` by now), NotFound (the source is gone) or Unsupported.
[[nodiscard]] base::Result<std::string> withChangedSource(std::string_view text, const SourceChange &change,
                                                          const std::filesystem::path &file,
                                                          const ports::SourceKinds &kinds);
// `text` without the source. Fails like withChangedSource().
[[nodiscard]] base::Result<std::string> withoutSource(std::string_view text, const model::SourceSettings &source,
                                                      const std::filesystem::path &file,
                                                      const ports::SourceKinds &kinds);

// A change to the owner rules. `from` is a position in the existing list; an unchanged rule keeps its text.
struct OwnersChange {
    struct Rule {
        std::optional<std::size_t> from;
        model::OwnerRule rule;
    };
    std::vector<model::OwnerRule> before; // the rules when the change was made
    std::vector<Rule> after; // empty: the built-in rules
};
// `text` with other owner rules. Fails like withChangedSource().
[[nodiscard]] base::Result<std::string> withOwners(std::string_view text, const OwnersChange &change,
                                                   const std::filesystem::path &file, const ports::SourceKinds &kinds);
// `text` with other rules for shared and idle cost. `before`: the rules when the change was made. Fails like
// withChangedSource().
[[nodiscard]] base::Result<std::string> withSharing(std::string_view text, const model::Settings &before,
                                                    const model::Settings &after, const std::filesystem::path &file,
                                                    const ports::SourceKinds &kinds);
// `text` with another idle rule; writes only what changes. `before`: the configured rule when the change was made;
// lengths of `wanted` that are measured are not written. Fails like withChangedSource().
[[nodiscard]] base::Result<std::string> withIdleRule(std::string_view text, const model::IdleSettings &before,
                                                     const model::IdleSettings &wanted,
                                                     const std::filesystem::path &file,
                                                     const ports::SourceKinds &kinds);
// A duration as written in the file: "1d", "90m".
std::string writtenLength(base::Seconds length);
// An equivalent rule that the file can express. The file can't say "the namespace name is the team", but an expression
// that matches every name can.
model::OwnerRule writable(const model::OwnerRule &rule);

// The contents of a file before (std::nullopt: it did not exist) and after a change.
struct FileChange {
    std::optional<std::string> before;
    std::string after;
};
// Changes the file atomically; a missing one is created (mode 0600, its folder 0700). Fails as `change` does, and with
// StorageFull, StorageReadOnly or StorageBusy (the file was changed meanwhile).
using TextChange = std::function<base::Result<std::string>(std::string_view text)>;
[[nodiscard]] base::Result<FileChange> changeFile(const std::filesystem::path &file, const TextChange &change);
// Restores the contents from before the change. Fails with StorageBusy if the file has changed since, and like
// changeFile().
[[nodiscard]] base::Result<void> undoChange(const std::filesystem::path &file, const FileChange &change);

// Adds the source to the file. Fails like withSource() and changeFile().
[[nodiscard]] base::Result<void> addSourceToFile(const std::filesystem::path &file, const NewSource &source,
                                                 const ports::SourceKinds &kinds);

} // namespace gpuledger::services
