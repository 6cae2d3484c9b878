-- SPDX-License-Identifier: GPL-3.0-or-later
-- When an entry of the audit log was written, beside the time that its command was told to take for now (at). NULL:
-- an earlier version wrote it; then the hash goes without them.

ALTER TABLE audit_entry ADD COLUMN recorded_at INTEGER; -- by the real clock
ALTER TABLE audit_entry ADD COLUMN steady INTEGER; -- ns since the start of the system
ALTER TABLE audit_entry ADD COLUMN boot TEXT; -- which start that was
