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

// Changes to the configuration file that keep everything else in it byte for byte, comments and line ends included.
// Pure functions but for those that take a file; any thread. `kinds` are the kinds of source that there are: the text
// is checked before and after.
namespace gpuledger::services {

// A source as a user gives it, part by part; checked like the file itself. Empty parts are left out.
struct NewSource {
    using Parts = std::vector<std::pair<std::string, std::string>>;
    std::string name, kind, url, path, cluster, clusterLabel;
    Parts auth; // "type", "token" …; a credential only by reference
    std::string ca;
    Parts headers;
    std::string timeout, firstSync, every;
    std::vector<std::string> rights;
    Parts options; // keys of the kind
};

// The settings that it would be. Fails with InvalidArgument: each problem with its key; a credential is never repeated.
[[nodiscard]] base::Result<model::SourceSettings>
checkNewSource(const NewSource &source, const std::filesystem::path &folder, const ports::SourceKinds &kinds);

// `text` with the source behind the others, written in the way that the list of sources is. Empty text gives a whole
// configuration. Fails with InvalidConfig (the text is wrong as it is), Refused (the name is taken) or Unsupported (the
// list is written so that it can't be added to without changing the rest).
[[nodiscard]] base::Result<std::string> withSource(std::string_view text, const NewSource &source,
                                                   const std::filesystem::path &file, const ports::SourceKinds &kinds);

// The values of a source that change: a key, or two for one of a map ("auth", "token"); without a value and parts the
// key goes.
struct SourceChange {
    struct Value {
        std::vector<std::string> way;
        std::optional<std::string> value = {};
        NewSource::Parts parts = {}; // of a map that takes the value's place
        std::vector<std::string> items = {}; // of a list that does
    };
    model::SourceSettings before; // as it was when the change was made
    model::SourceSettings after; // as it has to be then
    std::vector<Value> values;
};
// `text` with the source changed. Fails with InvalidConfig (wrong as it is, or would be), StorageBusy (the source is
// another one than `before` by now), NotFound (it is gone) or Unsupported.
[[nodiscard]] base::Result<std::string> withChangedSource(std::string_view text, const SourceChange &change,
                                                          const std::filesystem::path &file,
                                                          const ports::SourceKinds &kinds);
// `text` without the source. Fails as above.
[[nodiscard]] base::Result<std::string> withoutSource(std::string_view text, const model::SourceSettings &source,
                                                      const std::filesystem::path &file,
                                                      const ports::SourceKinds &kinds);

// Rules of owners on their way into the file. `from` is a position among those that are there, whose text stays where
// the rule is the same.
struct OwnersChange {
    struct Rule {
        std::optional<std::size_t> from;
        model::OwnerRule rule;
    };
    std::vector<model::OwnerRule> before; // as they were when the change was made
    std::vector<Rule> after; // none: the built-in rules
};
// `text` with other owner rules. Fails as above.
[[nodiscard]] base::Result<std::string> withOwners(std::string_view text, const OwnersChange &change,
                                                   const std::filesystem::path &file, const ports::SourceKinds &kinds);
// `text` with other rules for shared and idle cost. `before`: as they were when the change was made. Fails as above.
[[nodiscard]] base::Result<std::string> withSharing(std::string_view text, const model::Settings &before,
                                                    const model::Settings &after, const std::filesystem::path &file,
                                                    const ports::SourceKinds &kinds);
// `text` with another idle rule; only what changes is written. `before`: as it was when the change was made. Fails as
// above.
[[nodiscard]] base::Result<std::string> withIdleRule(std::string_view text, const model::IdleSettings &before,
                                                     const model::IdleSettings &after,
                                                     const std::filesystem::path &file,
                                                     const ports::SourceKinds &kinds);
// A length of time as the file has it: "1d", "90m".
std::string writtenLength(base::Seconds length);
// The same rule in a form that the file has: it can't say "the name of the namespace is the team", but an expression
// that matches every name can.
model::OwnerRule writable(const model::OwnerRule &rule);

// What a change did to a file: its bytes before (nothing: there was none) and after.
struct FileChange {
    std::optional<std::string> before;
    std::string after;
};
// Changes the file, whole or not at all; a missing one is made (mode 0600, its folder 0700). Fails as `change` does,
// and with StorageFull, StorageReadOnly or StorageBusy (somebody changed the file meanwhile).
using TextChange = std::function<base::Result<std::string>(std::string_view text)>;
[[nodiscard]] base::Result<FileChange> changeFile(const std::filesystem::path &file, const TextChange &change);
// Puts the bytes of before back. Fails with StorageBusy where the file is another one by now, and as above.
[[nodiscard]] base::Result<void> undoChange(const std::filesystem::path &file, const FileChange &change);

// Adds it to the file. Fails as withSource() and changeFile() do.
[[nodiscard]] base::Result<void> addSourceToFile(const std::filesystem::path &file, const NewSource &source,
                                                 const ports::SourceKinds &kinds);

} // namespace gpuledger::services
