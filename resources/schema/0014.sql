-- SPDX-License-Identifier: GPL-3.0-or-later
-- Why pods ended, as Kubernetes states it (app/model/fleet/endreason.h has the numbers). NULL: nothing states it, or it was fetched before this version.

DROP VIEW holder_view;
ALTER TABLE holder ADD COLUMN end_reason INTEGER;

-- For people who ask by hand.
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
        h.started_at, h.completed_at, h.end_reason
    FROM holder h JOIN subject s ON s.id = h.subject JOIN namespace n ON n.id = s.namespace
        JOIN cluster c ON c.id = n.cluster;
