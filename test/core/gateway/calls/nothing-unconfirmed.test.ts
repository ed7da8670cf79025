import { createHash } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { png } from '#test/core/backend/uploads/pictures.ts';
import { findCampaign, type World } from '#test/core/proposals/world.ts';
import { readAccount } from '#test/servers/read-account.ts';
import { openEndpointWorld } from '../endpoint/endpoint-world.ts';
import { until } from '../surface-world.ts';

/** The readable state of the account: its campaigns, its tasks, and whether the picture is published. */
async function stateOf(world: World, client: Client): Promise<unknown> {
  const { structuredContent: tasks } = await client.callTool({ name: 'svc_list_tasks', arguments: {} });
  const { origin } = new URL(world.core.info.serviceUrl);
  const picture = await fetch(`${origin}/uploads/${sha256Of(icon)}.png`);
  return { campaigns: await readAccount(world.other), tasks, picture: picture.status };
}

const icon = png(96, 96);
const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Arguments for every tool of the service except the commit. */
function argumentsFor(cid: number): Record<string, JsonObject> {
  const upload = { kind: 'icon', fileName: 'i.png', contentType: 'image/png', data: icon.toString('base64') };
  const days = { from: '2026-01-01', to: '2026-01-02' };
  return {
    svc_whoami: {},
    svc_list_campaigns: {},
    svc_get_campaign: { cid },
    svc_xml_stats: days,
    svc_search_report: days,
    svc_list_tasks: {},
    svc_get_operation: { idempotencyKey: 'none' },
    svc_prepare_campaign_update: { cid, changes: { name: 'Mine now' } },
    svc_prepare_campaign_status: { ids: [cid], status: 'suspended' },
    svc_prepare_upload: upload,
    svc_prepare_task: {
      kind: 'campaign_status',
      schedule: { type: 'daily', time: '09:00', timezone: 'Etc/UTC' },
      parameters: { cids: [cid], status: 'paused' },
    },
    svc_prepare_task_cancel: { taskId: 'none' },
  };
}

function memberOf(value: JsonValue | undefined, name: string): JsonObject {
  const found = (value as JsonObject | undefined)?.[name];
  return (found ?? {}) as JsonObject;
}

test('nothing changes without a person’s approval, whatever tool an agent calls and whatever it confirms itself', async () => {
  const { world, url, enter } = await openEndpointWorld();
  const { tokens } = await enter();
  const client = new Client({ name: 'agent', version: '1' });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  const before = await stateOf(world, client);
  expect(before).toMatchObject({ picture: 404 });

  const given = argumentsFor(cid);
  const { tools } = await client.listTools();
  const theirs = tools.map(({ name }) => name).filter((name) => !name.startsWith('countersign_'));
  // A new tool of the service needs arguments in `argumentsFor`.
  expect(theirs.toSorted()).toEqual([...Object.keys(given), 'svc_commit'].toSorted());

  const commits: JsonObject[] = [];
  for (const [name, args] of Object.entries(given)) {
    const { structuredContent } = await client.callTool({ name, arguments: { ...args } });
    const data = memberOf(structuredContent as JsonObject, 'data');
    const { id, fingerprint } = memberOf(data, 'approval');
    if (id === undefined) continue;
    const approval = { approvalId: id, fingerprint: fingerprint ?? '', payload: data['payload'] ?? null };
    commits.push({ ...approval, idempotencyKey: `key-${name}`, confirmed: true });
  }
  expect(commits).toHaveLength(4);

  const waiting = async (): Promise<number> => {
    const { items } = await world.core.handlers['proposals.list']({
      which: 'waiting',
      before: null,
      limit: 50,
    });
    return items.filter(({ operation }) => operation === 'tool.call').length;
  };
  const answers = commits.map((args) => client.callTool({ name: 'svc_commit', arguments: args }));
  let count = 0;
  await until(() => {
    void waiting().then((now) => (count = now));
    return count === commits.length;
  });
  world.clock.advance(45_000);
  for (const answer of await Promise.all(answers)) expect(answer.isError).toBe(true);
  expect(await stateOf(world, client)).toEqual(before);
  expect(world.puts()).toBe(0);

  // The commit changes the campaign once a person has approved it.
  const { items } = await world.core.handlers['proposals.list']({
    which: 'waiting',
    before: null,
    limit: 50,
  });
  await world.approve(await world.look(items.find(({ title }) => title.includes('Mine now'))?.id ?? ''));
  expect(await stateOf(world, client)).not.toEqual(before);
});
