import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { readFile } from '#test/servers/stored-rows.ts';
import { png } from '../uploads/pictures.ts';
import { commitOf, openWorld } from './world.ts';
import type { World } from './world.ts';

/** Tables with the account's data. Approvals and operations, which only refer to the data, are not among them. */
const tables = [
  'member',
  'setting',
  'campaign_type',
  'campaign',
  'campaign_payload',
  'picture',
  'picture_owner',
];

function hashOf({ file }: World): string {
  return readFile(file, (db) => {
    const hash = createHash('sha256');
    for (const table of tables) {
      for (const row of db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).raw().iterate()) {
        hash.update(JSON.stringify(row));
      }
    }
    return hash.digest('hex');
  });
}

test('the tools change nothing without a confirmed approval', async () => {
  const world = openWorld({ campaigns: 20 });
  const who = world.principal();
  const before = hashOf(world);
  const [first] = world.rows('buyer', 3);
  const cid = first?.cid ?? 0;
  const icon = { kind: 'icon', fileName: 'i.png', contentType: 'image/png' };
  const preparations: [string, JsonObject][] = [
    ['svc_prepare_campaign_update', { cid, changes: { name: 'Other' } }],
    ['svc_prepare_campaign_status', { ids: [cid], status: 'suspended' }],
    ['svc_prepare_upload', { ...icon, data: png(96, 96).toString('base64') }],
  ];
  const unconfirmed: JsonObject[] = [
    { confirmed: false },
    { fingerprint: 'f'.repeat(64) },
    { payload: { cid, status: 1 } },
    { approvalId: 'mine' },
  ];
  for (const [tool, args] of preparations) {
    const prepared = await world.prepare(who, tool, args);
    for (const more of unconfirmed) {
      await world.refusal(world.call(who, 'svc_commit', { ...commitOf(prepared), ...more }));
    }
    const { confirmed: _confirmed, ...silent } = commitOf(prepared);
    expect((await world.refusal(world.call(who, 'svc_commit', silent))).code).toBe('confirmation_missing');
    expect(hashOf(world)).toBe(before);
  }
  await world.commit(who, await world.prepare(who, ...(preparations[0] as [string, JsonObject])));
  expect(hashOf(world)).not.toBe(before);
});
