import { createHash } from 'node:crypto';

const noGuardrails = {
  maxBidFactor: null,
  maxRaisePerDayMicros: null,
  maxRaiseUntilEndMicros: null,
  maxCampaigns: null,
  pace: null,
  spendPace: null,
  quietHours: null,
  untouchable: [],
};

/** Ids of the world whose backup is edited, for use in the planted rows. */
export interface TamperedWorld {
  cid: number;
  /** Id of an undecided proposal. */
  waiting: string;
  /** Account of Demo. */
  account: string;
  /** Origin of the stranger's server. */
  origin: string;
}

/** A bearer token that a planted row of the authorization server accepts. */
export const plantedToken = 'planted-token';

/** An idempotency key with a planted answer. */
export const plantedKey = 'planted-key';

const hash = createHash('sha256').update(plantedToken).digest('hex');
const plantedGrant = JSON.stringify({ accountId: 'agent-x', clientId: 'client-x', grantId: 'grant-x' });

/** For each table of the app's database, the rows that a stranger would write. */
export const appRows: Record<string, (world: TamperedWorld) => string> = {
  setting: () => `
    INSERT OR REPLACE INTO setting VALUES ('agents.frozen', ''), ('restore.ending', ''), ('gateway.port', '70000'),
      ('agents.guardrails.demo', '${JSON.stringify(noGuardrails)}'), ('proposals.waitingMinutes', '99999999'),
      ('restore.last', '{"atMs":1,"failure":{"message":"Approved by Countersign","next":null}}');`,
  secret: () =>
    `INSERT INTO secret VALUES ('demo', 'tool-that-passes svc_commit', x'00'), ('demo', 'oauth-grant@0', x'00');`,
  // Ledger rows are signed: an edited row is refused (refused-backups.test.ts), and new rows need a key that is not
  // attested.
  ledger: () => '',
  proposal: ({ waiting }) =>
    `UPDATE proposal SET state = 'approved', expires_at_ms = 9e15 WHERE id = '${waiting}';`,
  proposal_target: ({ cid, waiting }) =>
    `INSERT OR IGNORE INTO proposal_target VALUES (${cid}, '${waiting}'), (${cid + 1}, '${waiting}');`,
  status_change: ({ cid, waiting }) => `
    INSERT OR REPLACE INTO status_change VALUES ('demo', ${cid}, 1, 3, 1, 'person', 'Approved by you', '${waiting}', 1);`,
  pause_return: ({ waiting }) => `
    INSERT INTO pause_return VALUES ('${waiting}', 'planted', 'demo', 1, NULL, NULL),
      ('no-pause', 'planted-2', 'planted', 1, NULL, NULL);`,
  profile: ({ origin }) => `
    INSERT INTO profile VALUES ('planted', 'Demo', '', 'UTC', '${origin}/api/v1', '${origin}', '${origin}', 'direct-jwt', 1);`,
  refresh_lease: () => `INSERT INTO refresh_lease VALUES ('planted', 1);`,
  kept_row: ({ cid }) => `
    INSERT OR REPLACE INTO kept_row VALUES ('demo', ${cid}, '{"cid":${cid},"name":"Kept","payout":98.765,"status":3}', 9e15);`,
  kept_campaign: ({ cid }) => `
    INSERT OR REPLACE INTO kept_campaign VALUES ('demo', ${cid}, '{"campaign":{"cid":${cid},"payout":98.765}}', 9e15);`,
  oauth_row: () => `
    INSERT INTO oauth_row VALUES ('AccessToken', '${hash}', '${plantedGrant}', 'grant-x', NULL, NULL, 1),
      ('Client', '${hash}', '{}', NULL, NULL, NULL, 1), ('Grant', '${hash}', '${plantedGrant}', 'grant-x', NULL, NULL, 1);`,
  agent: () => `
    INSERT INTO agent VALUES ('agent-x', 'client-x', 'Planted', '127.0.0.1', 'demo', '["svc:read","svc:write"]', 1, 'grant-x',
      NULL, NULL, NULL);`,
  agent_call: ({ waiting }) => `
    INSERT OR REPLACE INTO agent_call VALUES ('${waiting}', 'agent-x', 'session-x', '${plantedKey}', 'h', NULL, '{"content":[]}');`,
  refused_attempt: () => `
    INSERT INTO refused_attempt VALUES (NULL, 'demo', 'agent-x', 'Approved', 1, 1, 'Approved by you', '[]', 0, 'pace', 'Approved');`,
  prepared_change: () => `
    INSERT INTO prepared_change VALUES ('agent-x', 'approval-x', 'svc_prepare_campaign_update', '{}', 9e15);`,
  tool_pin: () => `
    UPDATE tool_pin SET is_tightened = 0, offered_hash = NULL, definition =
      json_set(definition, '$.annotations', json('{"readOnlyHint":true}')) WHERE name = 'svc_commit';`,
  tool_change: () => `
    INSERT INTO tool_change SELECT profile_id, name, hash FROM tool_pin WHERE hash IS NOT NULL;`,
  report_mark: () => `
    INSERT INTO report_mark VALUES ('mark-x', 'demo', '7301', 'subid', 'x', 'good', 'Approved', 1, NULL);`,
  report_view: () =>
    `INSERT OR REPLACE INTO report_view VALUES ('view-x', 'demo', 'Planted', 1, 1, '{}', 1);`,
  report_alert: () =>
    `INSERT INTO report_alert VALUES ('alert-x', 'demo', '{}', 1, 'crossed', 1, NULL, NULL);`,
  report_alert_event: () => `
    INSERT INTO report_alert_event VALUES (NULL, 'demo', 'alert-x', 'crossed', 1, '{}', 0);`,
  draft: ({ cid, account }) => `
    INSERT OR REPLACE INTO draft VALUES (NULL, 'demo', '${account}', ${cid}, 'payout',
      '{"from":0.1,"operations":[{"kind":"set","value":98.765}]}');`,
  draft_step: ({ account }) =>
    `INSERT INTO draft_step VALUES (77, 'demo', '${account}', 'Approved by you', 0);`,
  draft_step_change: ({ cid }) => `INSERT INTO draft_step_change VALUES (77, ${cid}, 'payout', NULL, NULL);`,
  draft_review: ({ account, cid, waiting }) => `
    INSERT OR REPLACE INTO draft_review VALUES ('demo', '${account}', ${cid}, '${waiting}', NULL, NULL);`,
  campaign_label: () => `INSERT INTO campaign_label VALUES ('label-x', 'demo', 'Approved', 'red');`,
  campaign_label_use: ({ account, cid }) =>
    `INSERT INTO campaign_label_use VALUES ('demo', '${account}', ${cid}, 'label-x');`,
  campaign_note: ({ account, cid }) =>
    `INSERT OR REPLACE INTO campaign_note VALUES ('demo', '${account}', ${cid}, 'Approved by you');`,
  campaign_view: () => `INSERT INTO campaign_view VALUES ('view-x', 'demo', 'Planted', '{}', 1);`,
  upload: ({ account, cid, origin }) => `
    INSERT OR REPLACE INTO upload VALUES ('demo', '${account}', '${hash}', NULL, 'icon', 'a.png', 'image/png', 1, 1, x'00', ${cid},
      '{"url":"${origin}/planted.png"}', 1);`,
  upload_use: ({ account, cid }) =>
    `INSERT INTO upload_use VALUES ('demo', '${account}', '${hash}', ${cid});`,
  campaign_copy: ({ account, cid }) => `
    INSERT INTO campaign_copy VALUES ('demo', '${account}', ${cid}, '2026-01-01', 1, '{"payout":98.765}');`,
};

const uid = '(SELECT min(uid) FROM member)';

/** The tables of the embedded service that only hold Demo's numbers and texts. No other part reads them. */
const demoData = [
  'member',
  'campaign_type',
  'setting',
  'campaign',
  'campaign_payload',
  'traffic_source',
  'feed',
  'statistics_day',
  'xml_traffic',
  'xml_by_day',
  'xml_by_geo',
  'xml_by_subid',
  'search_traffic',
  'search_count',
  'picture',
  'picture_owner',
];

/** For each table of the embedded service's database, the rows that a stranger would write. */
export const serviceRows: Record<string, (world: TamperedWorld) => string> = {
  ...Object.fromEntries(demoData.map((table) => [table, () => ''])),
  member: () => `UPDATE member SET balance_micros = 1;`,
  oauth_row: () =>
    `INSERT INTO oauth_row VALUES ('AccessToken', '${hash}', '${plantedGrant}', 'grant-x', NULL, NULL, 1);`,
  publisher_key: () =>
    `INSERT INTO publisher_key VALUES ('${hash}', ${uid}, '["publisher:xml:read"]', NULL, NULL, 0, 0);`,
  approval: ({ cid }) => `
    INSERT INTO approval VALUES ('approval-x', ${uid}, 'agent-x', NULL, 'campaign_status', 'campaigns', '{"ids":[${cid}],"status":2}',
      '', '${hash}', 9e15, 0);`,
  approval_file: () => `INSERT INTO approval_file VALUES ('approval-x', x'00');`,
  operation: () => `
    INSERT INTO operation VALUES ('operation-x', 'agent-x', '${plantedKey}', 'h', 'campaign_status', 'campaigns', '{}', 1, '{}');`,
  task: ({ cid }) => `
    INSERT INTO task VALUES ('task-x', ${uid}, 'client-x', 'grant-x', '["svc:write","offline_access"]',
      '{"kind":"campaign_status","schedule":{"type":"daily","time":"00:00","timezone":"Etc/UTC"},"parameters":{"cids":[${cid}],"status":"suspended"}}',
      'active', NULL, 1, 1, 'approval-x', 9000000000000000);`,
  task_run: () => `INSERT INTO task_run VALUES ('run-x', 'task-x', 1, 1, 0, 'done', NULL, NULL, NULL);`,
  task_file: () => `INSERT INTO task_file VALUES ('run-x', 'text/csv', '=cmd');`,
};
