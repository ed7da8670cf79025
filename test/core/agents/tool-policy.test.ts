import { expect, test } from 'vitest';
import { loosestTreatment, mayBeRead, treatmentOf } from '#core/agents/tool-pins/tool-policy.ts';

const readOnly = { readOnlyHint: true, destructiveHint: false };
const careful = { readOnlyHint: false, destructiveHint: false };

test.each([
  ['svc_whoami', readOnly, 'read'],
  ['svc_list_campaigns', undefined, 'read'],
  ['svc_get_campaign', {}, 'read'],
  ['svc_xml_stats', readOnly, 'read'],
  ['svc_search_report', readOnly, 'read'],
  ['svc_list_tasks', readOnly, 'read'],
  ['svc_get_operation', readOnly, 'read'],
  ['svc_prepare_campaign_update', careful, 'prepare'],
  ['svc_prepare_campaign_status', careful, 'prepare'],
  ['svc_prepare_upload', undefined, 'prepare'],
  ['svc_prepare_task', careful, 'prepare'],
  ['svc_prepare_task_cancel', careful, 'prepare'],
  ['svc_commit', careful, 'write'],
  // A tool's own annotations can make it a write, but never a read.
  ['svc_get_campaign', careful, 'write'],
  ['svc_list_campaigns', { readOnlyHint: true, destructiveHint: true }, 'write'],
  ['svc_prepare_task', { destructiveHint: true }, 'write'],
  ['svc_commit', readOnly, 'write'],
  ['svc_pause_everything', readOnly, 'write'],
  ['get_campaign', readOnly, 'write'],
  // Only the exact name is recognized.
  ['SVC_WHOAMI', readOnly, 'write'],
  ['svc_whoami ', readOnly, 'write'],
  ['svc_whоami', readOnly, 'write'],
  ['constructor', readOnly, 'write'],
])('the tool %j that declares %j is treated as a %s', (name, annotations, treatment) => {
  expect(treatmentOf(name, annotations === undefined ? {} : { annotations })).toBe(treatment);
});

test.each([
  ['svc_whoami', readOnly, 'read'],
  ['svc_prepare_task', careful, 'prepare'],
  ['weather', readOnly, 'read'],
  ['weather', { readOnlyHint: true }, 'read'],
  ['weather', {}, null],
  ['weather', careful, null],
  ['weather', { readOnlyHint: true, destructiveHint: true }, null],
  ['weather', { readOnlyHint: 'true' }, null],
  ['svc_commit', readOnly, null],
  ['svc_get_campaign', careful, null],
  ['svc_prepare_task', { readOnlyHint: true, destructiveHint: true }, null],
])('the user can treat the tool %j, which declares %j, as: %s', (name, annotations, as) => {
  expect(mayBeRead(name, { annotations })).toBe(as !== null);
  expect(loosestTreatment(name, { annotations })).toBe(as ?? 'write');
});
