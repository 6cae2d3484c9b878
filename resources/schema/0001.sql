-- SPDX-License-Identifier: GPL-3.0-or-later
-- The cache of a fleet. Times are Unix seconds (UTC), ranges are half-open. Everything in it can be fetched or computed again.

-- generation: counts the commits that changed facts or roll-up; rollup_fingerprint: the settings that the roll-up was made with.
CREATE TABLE meta (
    key TEXT PRIMARY KEY NOT NULL,
    value ANY NOT NULL
) STRICT;
INSERT INTO meta (key, value) VALUES ('generation', 0);

CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- hull: from the first to the last instant that was ever asked for.
CREATE TABLE sync_state (
    source INTEGER PRIMARY KEY REFERENCES source (id),
    hull_start INTEGER,
    hull_end INTEGER,
    last_success INTEGER,
    last_attempt INTEGER,
    last_error TEXT NOT NULL DEFAULT '',
    last_error_code TEXT NOT NULL DEFAULT '',
    accepted INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    gaps INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What was fetched whole: disjoint ranges that do not touch.
CREATE TABLE sync_range (
    source INTEGER NOT NULL REFERENCES source (id),
    range_start INTEGER NOT NULL,
    range_end INTEGER NOT NULL,
    PRIMARY KEY (source, range_start)
) STRICT, WITHOUT ROWID;

-- has_holders: whether the scheduler ever named a holder in it.
CREATE TABLE cluster (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    has_holders INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE namespace (
    id INTEGER PRIMARY KEY,
    cluster INTEGER NOT NULL REFERENCES cluster (id),
    name TEXT NOT NULL,
    UNIQUE (cluster, name)
) STRICT;

-- Texts that many holders repeat, each once. hash: of the text (app/store/names.h), so that no index repeats it.
CREATE TABLE text (
    id INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL,
    value TEXT NOT NULL
) STRICT;
CREATE INDEX text_hash ON text (hash);

-- as_of: the evidence that the attributes come from; older evidence only fills what is empty.
CREATE TABLE node (
    id INTEGER PRIMARY KEY,
    cluster INTEGER NOT NULL REFERENCES cluster (id),
    name TEXT NOT NULL,
    as_of INTEGER NOT NULL,
    labels TEXT NOT NULL, -- JSON object
    provider_id TEXT NOT NULL,
    instance_type TEXT NOT NULL,
    cloud TEXT NOT NULL,
    region TEXT NOT NULL,
    zone TEXT NOT NULL,
    gpu_capacity INTEGER NOT NULL,
    shared_gpus INTEGER NOT NULL,
    UNIQUE (cluster, name)
) STRICT;

CREATE TABLE device (
    id INTEGER PRIMARY KEY,
    cluster INTEGER NOT NULL REFERENCES cluster (id),
    uuid TEXT NOT NULL,
    as_of INTEGER NOT NULL,
    model TEXT NOT NULL,
    vendor TEXT NOT NULL,
    position INTEGER NOT NULL,
    memory_mib INTEGER NOT NULL,
    UNIQUE (cluster, uuid)
) STRICT;

CREATE TABLE mig_slice (
    device INTEGER NOT NULL REFERENCES device (id),
    gpu_instance TEXT NOT NULL,
    as_of INTEGER NOT NULL,
    profile TEXT NOT NULL,
    part INTEGER NOT NULL,
    whole INTEGER NOT NULL,
    PRIMARY KEY (device, gpu_instance)
) STRICT, WITHOUT ROWID;

-- Each name in a namespace has a row that is told by the name alone (uid empty, kind 0), to which holders of that name
-- refer; told is 0 while no series named it so. Subjects that are told by more refer to it by base and have no name of
-- their own.
CREATE TABLE subject (
    id INTEGER PRIMARY KEY,
    namespace INTEGER NOT NULL REFERENCES namespace (id),
    name TEXT,
    name_hash INTEGER, -- of name and namespace
    base INTEGER REFERENCES subject (id),
    uid TEXT NOT NULL,
    kind INTEGER NOT NULL,
    told INTEGER NOT NULL,
    exporter_like INTEGER NOT NULL
) STRICT;
CREATE INDEX subject_name ON subject (name_hash) WHERE name_hash IS NOT NULL;
CREATE INDEX subject_base ON subject (base, uid, kind) WHERE base IS NOT NULL;

-- One of each uid and name, which is that of the subject. node, owner_kind, labels, namespace_labels and gpu_requests
-- (JSON objects) are rows of text, NULL for none. Read it through holder_view.
CREATE TABLE holder (
    id INTEGER PRIMARY KEY,
    subject INTEGER NOT NULL REFERENCES subject (id),
    uid ANY NOT NULL, -- a UUID as its 16 bytes, anything else as it is
    kind INTEGER NOT NULL,
    as_of INTEGER NOT NULL,
    node INTEGER REFERENCES text (id),
    owner_kind INTEGER REFERENCES text (id),
    owner_name ANY, -- as an integer: so many characters of the holder's name
    labels INTEGER REFERENCES text (id),
    namespace_labels INTEGER REFERENCES text (id),
    gpu_requests INTEGER REFERENCES text (id),
    started_at INTEGER,
    completed_at INTEGER
) STRICT;
CREATE INDEX holder_subject ON holder (subject);

-- For people who ask by hand.
CREATE VIEW subject_view AS
    SELECT s.id, c.name AS cluster, n.name AS namespace, ifnull(s.name, b.name) AS name, s.uid, s.kind, s.exporter_like
    FROM subject s JOIN namespace n ON n.id = s.namespace JOIN cluster c ON c.id = n.cluster
        LEFT JOIN subject b ON b.id = s.base
    WHERE s.told = 1;
CREATE VIEW holder_view AS
    SELECT h.id, c.name AS cluster, n.name AS namespace, s.name,
        CASE typeof(h.uid) WHEN 'blob' THEN lower(substr(hex(h.uid), 1, 8) || '-' || substr(hex(h.uid), 9, 4) || '-'
            || substr(hex(h.uid), 13, 4) || '-' || substr(hex(h.uid), 17, 4) || '-' || substr(hex(h.uid), 21))
            ELSE h.uid END AS uid,
        h.kind, h.as_of,
        (SELECT value FROM text WHERE id = h.node) AS node,
        (SELECT value FROM text WHERE id = h.owner_kind) AS owner_kind,
        CASE typeof(h.owner_name) WHEN 'integer' THEN substr(s.name, 1, h.owner_name) ELSE h.owner_name END
            AS owner_name,
        (SELECT value FROM text WHERE id = h.labels) AS labels,
        (SELECT value FROM text WHERE id = h.namespace_labels) AS namespace_labels,
        (SELECT value FROM text WHERE id = h.gpu_requests) AS gpu_requests,
        h.started_at, h.completed_at
    FROM holder h JOIN subject s ON s.id = h.subject JOIN namespace n ON n.id = s.namespace
        JOIN cluster c ON c.id = n.cluster;

-- Where a series spoke; one that is silent for more than an hour has a further row. subject 0 and node 0: not named by the series.
CREATE TABLE placement (
    device INTEGER NOT NULL REFERENCES device (id),
    gpu_instance TEXT NOT NULL,
    subject INTEGER NOT NULL,
    node INTEGER NOT NULL,
    role INTEGER NOT NULL,
    seen_start INTEGER NOT NULL,
    seen_end INTEGER NOT NULL,
    PRIMARY KEY (device, gpu_instance, subject, node, role, seen_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX placement_subject ON placement (subject) WHERE subject <> 0;

-- Which devices have a placement on which node.
CREATE TABLE device_node (
    node INTEGER NOT NULL,
    device INTEGER NOT NULL REFERENCES device (id),
    PRIMARY KEY (node, device)
) STRICT, WITHOUT ROWID;

-- Disjoint ranges that do not touch, for each source and holder (node).
CREATE TABLE holder_span (
    holder INTEGER NOT NULL REFERENCES holder (id),
    source INTEGER NOT NULL REFERENCES source (id),
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    PRIMARY KEY (holder, source, span_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX holder_span_end ON holder_span (span_end, span_start);

CREATE TABLE node_span (
    node INTEGER NOT NULL REFERENCES node (id),
    source INTEGER NOT NULL REFERENCES source (id),
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    PRIMARY KEY (node, source, span_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX node_span_end ON node_span (span_end, span_start);

-- id = day << 32 | device; data: see app/store/usagecodec.h.
CREATE TABLE usage_day (
    id INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

CREATE TABLE rollup_group (
    id INTEGER PRIMARY KEY,
    team TEXT NOT NULL,
    cluster TEXT NOT NULL,
    cloud TEXT NOT NULL,
    region TEXT NOT NULL,
    gpu_model TEXT NOT NULL,
    workload_kind TEXT NOT NULL,
    environment TEXT NOT NULL,
    UNIQUE (team, cluster, cloud, region, gpu_model, workload_kind, environment)
) STRICT;

-- Which groups occur on which day.
CREATE TABLE rollup_day (
    day INTEGER NOT NULL,
    group_id INTEGER NOT NULL REFERENCES rollup_group (id),
    PRIMARY KEY (day, group_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX rollup_day_group ON rollup_day (group_id);

-- id = measure << 48 | day << 24 | group, so that the days of one measure lie together; data: see app/store/cubecodec.h.
CREATE TABLE rollup (
    id INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- What the idle list is answered from (app/store/idlekept.h), written with the facts that it follows from.

-- What every holder did on every unit that day; data: see app/store/idlecodec.h.
CREATE TABLE idle_day (
    day INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- The candidates at the end of what was fetched, numbered in their order; instant and grace windows lie in meta.
CREATE TABLE idle_candidate (
    id INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
