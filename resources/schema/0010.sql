-- SPDX-License-Identifier: GPL-3.0-or-later
-- What devices, hosts and inference servers did in hours in which a GPU was nearly idle: why it was
-- (app/model/fleet/signals.h). Nothing else is derived from it.

-- signal: model::HourSignal; of_id: the device, node or subject, as the signal says; hour: since 1970; seconds: covered.
CREATE TABLE signal_hour (
    signal INTEGER NOT NULL,
    of_id INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (signal, of_id, hour)
) STRICT, WITHOUT ROWID;
