"""The third seed's schema, as read-only views over our tables.

| theirs | ours |
| --- | --- |
| jobs.status awaiting_review | a thread that waits, for a person, an event or a time |
| jobs.status failed | failed or parked |
| (left out) | erased threads |
| effects | effects that are done |
| approvals | the newest approval per thread and subject; expired, withdrawn and superseded count as rejected |
| sealed text | `sealed:<row id>` |

Each view has the seed's columns, and `tenant_id` where the seed's table has none.
"""

VIEWS = {
    "lab_jobs": """
SELECT id, tenant_id,
  CASE status WHEN 'waiting' THEN 'awaiting_review' WHEN 'parked' THEN 'failed' ELSE status END AS status,
  goal, version, updated_at
FROM threads WHERE status <> 'erased'
""",
    "lab_effects": """
SELECT e.thread_id AS job_id, e.key AS idempotency_key, e.kind AS kind, e.result_ref AS result_ref,
  e.done_at AS completed_at, e.tenant_id AS tenant_id
FROM effects e JOIN threads t ON t.tenant_id = e.tenant_id AND t.id = e.thread_id
WHERE e.status = 'done' AND t.status <> 'erased'
""",
    "lab_approvals": """
SELECT a.thread_id AS job_id, a.about AS subject_id,
  CASE a.status WHEN 'pending' THEN 'pending' WHEN 'approved' THEN 'approved' ELSE 'rejected' END AS status,
  a.decided_by AS reviewer_id, a.version AS version, a.decided_at AS decided_at, a.tenant_id AS tenant_id
FROM approvals a JOIN threads t ON t.tenant_id = a.tenant_id AND t.id = a.thread_id
WHERE t.status <> 'erased' AND NOT EXISTS (
  SELECT 1 FROM approvals b WHERE b.tenant_id = a.tenant_id AND b.thread_id = a.thread_id AND b.about = a.about
    AND (b.asked_at > a.asked_at OR (b.asked_at = a.asked_at AND b.id > a.id)))
""",
    "lab_memories": """
SELECT m.id AS id, m.tenant_id AS tenant_id, m.owner_id AS owner_id, m.source_ref AS source_ref,
  'sealed:' || m.id AS content, m.confidence AS confidence, m.created_at AS created_at,
  m.expires_at AS expires_at, m.deleted_at AS deleted_at
FROM memories m
""",
}
