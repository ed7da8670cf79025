import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { png } from '#test/core/backend/uploads/pictures.ts';
import type { FuzzPlaces } from './places.ts';

const icon = png(192, 192).toString('base64');
const days = { date_from: '2026-11-01', date_to: '2026-11-20' };

function toolCalls(places: FuzzPlaces, cid: number): [name: string, args: JsonObject][] {
  const { tid, sid, prepared } = places;
  const schedule = { type: 'weekly', days: ['mon', 'fri'], time: '09:30', timezone: 'Europe/Berlin' };
  return [
    ['svc_whoami', {}],
    [
      'svc_list_campaigns',
      { status: 'active', orderBy: 'name', order: 'asc', offset: 2, limit: 5, detailLevel: 'full' },
    ],
    ['svc_get_campaign', { cid }],
    ['svc_xml_stats', { tid, ...days, groupBy: 'geo' }],
    ['svc_search_report', { ...days, sid, offset: 0, limit: 10 }],
    ['svc_list_tasks', { offset: 0, limit: 10, state: 'active' }],
    ['svc_get_operation', { operationId: 'none' }],
    [
      'svc_prepare_campaign_update',
      { cid, changes: { name: 'Fuzz', payout: 0.5, geo: ['DE'], geo_enabled: 0 } },
    ],
    ['svc_prepare_campaign_status', { ids: [cid, cid + 1], status: 'paused' }],
    ['svc_prepare_upload', { kind: 'icon', fileName: 'icon.png', contentType: 'image/png', data: icon }],
    [
      'svc_prepare_task',
      { name: 'T', kind: 'campaign_status', schedule, parameters: { cids: [cid], status: 'paused' } },
    ],
    [
      'svc_prepare_task',
      {
        kind: 'report_export',
        schedule: { type: 'once', at: '2027-01-01T09:00:00+01:00' },
        parameters: { report: 'xml', tid, lastDays: 7, format: 'csv', groupBy: 'day' },
      },
    ],
    ['svc_prepare_task_cancel', { taskId: 'none' }],
    [
      'svc_commit',
      {
        approvalId: prepared.approval.id,
        fingerprint: prepared.approval.fingerprint,
        payload: prepared.payload,
        idempotencyKey: 'fuzz-1',
        confirmed: true,
      },
    ],
  ];
}

/** The `initialize` message of a session. */
export const initializeCall: JsonObject = {
  jsonrpc: '2.0',
  id: 7,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: { roots: { listChanged: true }, sampling: {} },
    clientInfo: { name: 'fuzz', version: '1' },
  },
};

/** Returns valid JSON-RPC messages of every method that a session may send. */
export function remoteCalls(places: FuzzPlaces, cid: number): JsonObject[] {
  const call = (method: string, params: JsonObject = {}): JsonObject => ({
    jsonrpc: '2.0',
    id: 7,
    method,
    params,
  });
  const tools = toolCalls(places, cid).map(([name, args]) =>
    call('tools/call', { name, arguments: args, _meta: { progressToken: 'p' } }),
  );
  return [
    // Tool calls appear twice, because they matter most.
    ...tools,
    ...tools,
    initializeCall,
    call('tools/list'),
    call('tools/list', { cursor: 'MA' }),
    call('resources/list'),
    call('resources/templates/list'),
    call('resources/read', { uri: `svc://campaigns/${cid}` }),
    call('resources/read', { uri: 'svc://task-runs/none' }),
    call('resources/subscribe', { uri: 'svc://settings' }),
    call('prompts/list'),
    call('prompts/get', { name: 'review_campaign', arguments: { cid: String(cid) } }),
    call('completion/complete', {
      ref: { type: 'ref/prompt', name: 'review_campaign' },
      argument: { name: 'cid', value: '1' },
    }),
    call('logging/setLevel', { level: 'debug' }),
    call('ping'),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'x' } },
    { jsonrpc: '2.0', id: 3, result: {} },
  ];
}
