import { describe, expect, test, vi } from 'vitest';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { png } from '#test/core/backend/uploads/pictures.ts';
import {
  campaignNow,
  callOf,
  claude,
  codex,
  createAgentWorld,
  prepare,
  prepareBid,
  type AgentWorld,
} from './agent-world.ts';

async function runningCampaign(world: AgentWorld): Promise<JsonObject> {
  const { data } = await world.connection.member.list({ page: 1, perPage: 50, sort: 'cid', order: 'asc' });
  return campaignNow(world, data.find(({ status }) => status === 1)?.cid ?? 0);
}

const warningsOf = ({ warnings }: ProposalView): string[] =>
  warnings.map(({ severity, code }) => `${severity} ${code}`);

test('a prepared pause is described as a change of status, with the campaigns and their money', async () => {
  const world = await createAgentWorld();
  const { cid, name } = await runningCampaign(world);
  const { args, prepared } = await prepare(world, 'svc_prepare_campaign_status', {
    ids: [cid ?? 0],
    status: 'paused',
  });
  const proposal = await world.gate.agents.propose(callOf('svc_commit', args, { prepared }));
  expect(proposal).toMatchObject({ title: `Pause “${String(name)}”`, detail: { known: 'status' } });
  expect(proposal.risk.perDay.after).toMatchObject({ micros: '0', unlimited: false });
  expect(await world.approve(proposal.id)).toMatchObject({ state: 'verified' });
  expect(await campaignNow(world, Number(cid))).toMatchObject({ status: 3 });
});

test('an agent’s pause of ten campaigns warns of their number, and a person’s pause states it in the title', async () => {
  const agents = await createAgentWorld({ campaigns: 60 });
  const { data } = await agents.connection.member.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const ids = data.flatMap(({ cid, status }) => (status === 1 ? [cid] : [])).slice(0, 10);
  const { args, prepared } = await prepare(agents, 'svc_prepare_campaign_status', { ids, status: 'paused' });
  const asked = await agents.gate.agents.propose(callOf('svc_commit', args, { prepared }));
  expect(warningsOf(asked)).toEqual(['notice several_campaigns']);
  const own = await agents.gate.proposeStatus({ cids: ids, status: 3, targeted: 'all' });
  expect({ title: own.title, warnings: own.warnings }).toEqual({ title: 'Pause 10 campaigns', warnings: [] });
});

test('a task that will change a bid shows the current campaign and does not claim that nothing is at risk', async () => {
  const world = await createAgentWorld();
  const { cid, name, payout } = await runningCampaign(world);
  const { args, prepared } = await prepare(world, 'svc_prepare_task', {
    kind: 'campaign_bid',
    parameters: { cid: cid ?? 0, payout: payout ?? 0 },
    schedule: { type: 'daily', time: '09:00', timezone: 'UTC' },
  });
  const proposal = await world.gate.agents.propose(callOf('svc_commit', args, { prepared }));
  expect(proposal.title).toBe('Make the scheduled task of the kind “campaign_bid”');
  expect(proposal).toMatchObject({ changes: [], detail: { known: 'campaign', prepared: true } });
  expect(proposal.targets).toEqual([expect.objectContaining({ cid, name })]);
  expect(proposal.risk.perDay.after).toEqual({ text: 'Unknown', unlimited: true, micros: '' });
  expect(warningsOf(proposal)).toEqual(['danger tool_effect_unknown']);
  expect(proposal.typeToConfirm).toEqual({ label: `Type ${String(cid)} to confirm`, value: String(cid) });
  expect(proposal.unchanged).toContainEqual(expect.objectContaining({ field: 'cid', value: String(cid) }));

  expect(await world.approve(proposal.id)).toMatchObject({ state: 'done', outcome: null });
});

test('the end of a task is described by its arguments, because nothing else describes it', async () => {
  const world = await createAgentWorld();
  const proposal = await world.gate.agents.propose(
    callOf('svc_commit', { approvalId: 'a', fingerprint: 'f', payload: { taskId: 'task-7' } }),
  );
  expect(proposal).toMatchObject({
    title: 'Cancel the scheduled task “task-7”',
    targets: [],
    detail: { known: 'arguments', prepared: false },
  });
  expect(warningsOf(proposal)).toEqual(['danger prepare_unseen', 'danger tool_unknown']);
  expect(proposal.typeToConfirm).toEqual({ label: 'Type svc_commit to confirm', value: 'svc_commit' });
});

test('a call of an unknown tool says so and shows every argument', async () => {
  const world = await createAgentWorld();
  const data = png(96, 96).toString('base64');
  const proposal = await world.gate.agents.propose(
    callOf('svc_wipe', { data, note: 'All\u202egood', list: [1, '1'], deep: { 'a b': [{}, { x: null }] } }),
  );
  expect(proposal.title).toBe('Call “svc_wipe” with 4 arguments');
  expect(warningsOf(proposal)).toEqual(['danger tool_unknown']);
  expect(proposal.risk.perDay.before.text).toBe('Unknown');
  expect(proposal.risk.untilEnd.after).toMatchObject({ text: 'Unknown', unlimited: true });
  expect(proposal.risk.notes).toHaveLength(1);
  const { detail } = proposal;
  expect(detail.kind === 'tool' ? detail.args : []).toEqual([
    {
      path: 'data',
      value: expect.stringMatching(/^a picture \(PNG, 96 × 96, \d+ bytes\), SHA-256 [0-9a-f]{64}$/) as string,
      picture: { mediaType: 'image/png', base64: data },
    },
    { path: 'deep[“a b”][0]', value: '{}' },
    { path: 'deep[“a b”][1].x', value: 'null' },
    { path: 'list', value: '[1, “1”]' },
    { path: 'note', value: '“All⟨U+202E⟩good”' },
  ]);
  expect(world.store.proposals.find(proposal.id)?.headline.comparable).toBeNull();
});

describe('a call of a tool other than the commit', () => {
  test('with a complete campaign shows what the arguments look like, and warns that the tool may act differently', async () => {
    const world = await createAgentWorld();
    const campaign = await runningCampaign(world);
    const payout = Number((Number(campaign['payout']) * 1.1).toFixed(4));
    const args = { campaign: { ...campaign, payout } };
    const proposal = await world.gate.agents.propose(callOf('svc_save', args));
    expect(proposal.title).toMatch(/^Call “svc_save”: raise the bid of “/);
    expect(proposal).toMatchObject({ detail: { known: 'update' } });
    expect(warningsOf(proposal)).toContain('warning tool_effect_assumed');
    expect(world.store.proposals.find(proposal.id)?.headline.comparable).toBeNull();
  });

  test('that does not state the change shows the current campaign', async () => {
    const world = await createAgentWorld();
    const campaign = await runningCampaign(world);
    const { cid = 0, name: _name, ...rest } = campaign;
    const argumentsOf: JsonObject[] = [
      { cid, changes: { payout: 9 } },
      { payload: { cid, ...rest } },
      { campaign, andThen: 'delete' },
      { campaign: { ...campaign, payout: -1 } },
    ];
    for (const args of argumentsOf) {
      const proposal = await world.gate.agents.propose(callOf('svc_save', args));
      expect(proposal).toMatchObject({ changes: [], detail: { known: 'campaign' } });
    }
  });

  test('that names campaigns in texts, in lists of objects or among other arguments targets each of them', async () => {
    const world = await createAgentWorld();
    const campaign = await runningCampaign(world);
    const { cid = 0 } = campaign;
    const payout = Number(campaign['payout']) * 2;
    const argumentsOf: [JsonObject, number[]][] = [
      [{ cid, cids: ['999998', 999_999, null] }, [Number(cid), 999_998, 999_999]],
      [
        { cid, changes: [{ cid: 999_998, status: 1 }, { campaignId: ' 999999 ' }] },
        [Number(cid), 999_998, 999_999],
      ],
      [{ cid: '999999', campaign: { ...campaign, payout } }, [999_999, Number(cid)]],
    ];
    for (const [args, targets] of argumentsOf) {
      const { id, detail } = await world.gate.agents.propose(callOf('svc_any', args));
      expect(detail).toMatchObject({ known: 'arguments' });
      expect(world.store.proposals.find(id)?.targets).toEqual(targets);
    }
  });

  test('with an invalid id is not taken for a change of the campaign next to it', async () => {
    const world = await createAgentWorld();
    const campaign = await runningCampaign(world);
    const args = { cid: 'every', campaign: { ...campaign, payout: Number(campaign['payout']) * 2 } };
    const proposal = await world.gate.agents.propose(callOf('svc_any', args));
    expect(proposal).toMatchObject({ changes: [], detail: { known: 'campaign' } });
  });

  test('that names no campaign, or an ambiguous one, is described by its arguments alone', async () => {
    const world = await createAgentWorld();
    const argumentsOf: JsonObject[] = [
      { cid: 1, payload: { cid: 2 } },
      { cid: 999_999 },
      { id: 1 },
      { cid: 1, payload: { cids: [2], status: 3 } },
      { ids: [999_999], status: 3 },
    ];
    for (const args of argumentsOf) {
      const proposal = await world.gate.agents.propose(callOf('svc_any', args));
      expect(proposal).toMatchObject({ targets: [], detail: { known: 'arguments' } });
    }
  });
});

test('arguments too large for a person to read are refused without reading campaigns, except for a picture', async () => {
  const world = await createAgentWorld();
  const many = <T>(count: number, one: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, i) => one(i));
  const tooMuch: JsonObject[] = [
    Object.fromEntries(many(100_000, (index) => [`k${index}`, 1])),
    { list: many(200_000, () => ({ a: 1 })) },
    { deep: [[many(600_000, () => 1)]] },
    { text: 'Not a file. '.repeat(50_000) },
    { data: Buffer.alloc(2_500_000, 7).toString('base64') },
  ];
  for (const args of tooMuch) {
    await expect(world.gate.agents.propose(callOf('svc_any', args))).rejects.toMatchObject({
      code: 'arguments_invalid',
    });
  }
  expect(world.wire.callsOf('svc_get_campaign')).toEqual([]);
  const data = png(3_000, 2_000).toString('base64');
  const sites = many(10_000, (index) => `site-${index}.example`);
  await expect(world.gate.agents.propose(callOf('svc_any', { data, sites }))).resolves.toMatchObject({
    state: 'proposed',
  });
});

test('a thousand campaigns that do not exist are not read one by one', async () => {
  const world = await createAgentWorld();
  const lists = vi.spyOn(world.connection.campaigns, 'list');
  const ids = Array.from({ length: 1_000 }, (_, index) => 900_000 + index);
  const commit = world.gate.agents.propose(callOf('svc_commit', { payload: { ids, status: 3 } }));
  await expect(commit).rejects.toMatchObject({ code: 'campaign_not_found' });
  expect(lists.mock.calls.length).toBeLessThan(5);
});

test('an invalid commit is refused before a proposal is made', async () => {
  const world = await createAgentWorld();
  const campaign = await runningCampaign(world);
  const commit = (payload: JsonObject) => world.gate.agents.propose(callOf('svc_commit', { payload }));
  await expect(commit(campaign)).rejects.toMatchObject({ code: 'nothing_to_change' });
  await expect(commit({ ...campaign, payout: -1 })).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(commit({ ids: [999_999], status: 3 })).rejects.toMatchObject({ code: 'campaign_not_found' });
  expect(world.store.proposals.countUndecided()).toBe(0);
});

test('a commit is described by what was prepared, whatever its arguments are', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const payload = { ...(request.args['payload'] as JsonObject), name: 'Other' };
  const other = { ...request, args: { ...request.args, payload } };
  await expect(world.gate.agents.propose(other)).rejects.toMatchObject({
    code: 'prepared_differs',
    message: 'The payload is not the one that was prepared: “name” differs.',
  });
  const { payload: _payload, ...without } = request.args;
  await expect(world.gate.agents.propose({ ...request, args: without })).rejects.toMatchObject({
    code: 'prepared_differs',
    message: 'There is no payload.',
  });
  expect(world.store.proposals.countUndecided()).toBe(0);
});

test('a commit without a known preparation shows that warning first and is always decided alone', async () => {
  const world = await createAgentWorld();
  const { request, cid } = await prepareBid(world, 0.5);
  const paused = await prepare(world, 'svc_prepare_campaign_status', { ids: [cid], status: 'paused' });
  const seen = await world.gate.agents.propose(request);
  expect(warningsOf(seen)).not.toContain('danger prepare_unseen');
  for (const args of [request.args, paused.args]) {
    const unseen = callOf('svc_commit', {
      ...args,
      idempotencyKey: `other ${String(args['idempotencyKey'])}`,
    });
    const { id, warnings, detail, typeToConfirm } = await world.gate.agents.propose(unseen);
    expect(detail).toMatchObject({ prepared: false });
    expect(typeToConfirm).toEqual({ label: `Type ${cid} to confirm`, value: String(cid) });
    expect(warnings[0]).toEqual({
      code: 'prepare_unseen',
      severity: 'danger',
      text: 'Countersign did not see this being prepared: what the service kept may differ from these arguments.',
    });
    expect(world.store.proposals.find(id)?.headline).toMatchObject({
      worstWarning: 'danger',
      comparable: null,
    });
    await expect(world.gate.proposeTogether([seen.id, id])).rejects.toThrow('is decided alone');
  }
  const other = await world.gate.agents.propose(callOf('svc_store', { approvalId: 'a', note: 'x' }));
  expect(warningsOf(other)).toEqual(['danger prepare_unseen', 'danger tool_unknown']);
});

test('a commit of a change that another agent prepared counts as unprepared, even if the agents have equal names', async () => {
  const world = await createAgentWorld();
  const { request } = await prepareBid(world);
  const namesake = { ...codex, name: claude.name };
  const { args } = request;
  const proposal = await world.gate.agents.propose(callOf('svc_commit', args, { agent: namesake }));
  expect(proposal).toMatchObject({ proposedBy: { name: 'Claude Code', agentId: 'agent-2' } });
  expect(warningsOf(proposal)).toContain('danger prepare_unseen');
  // Idempotency keys belong to one agent, so the first agent's commit is another proposal.
  const first = await world.gate.agents.propose(request);
  expect(first.id).not.toBe(proposal.id);
  expect(warningsOf(first)).not.toContain('danger prepare_unseen');
});

test('equal changes of an agent and of a person form one group, and different changes do not', async () => {
  const world = await createAgentWorld();
  const { request, cid } = await prepareBid(world, 0.5);
  const { id } = await world.gate.agents.propose(request);
  const groupOf = (of: string) =>
    world.gate.list({ which: 'waiting', before: null, limit: 50 }).items.find((item) => item.id === of);
  expect(groupOf(id)).toMatchObject({
    groupKey: '[{"by":"ratio","field":"payout","over":"1","under":"2","unit":"money"}]',
    groupTitle: 'Lower bids by 50%',
  });
  const { id: paused } = await world.gate.proposeStatus({ cids: [cid], status: 3 });
  expect(groupOf(paused)).toMatchObject({
    groupKey: '[{"by":"set","field":"status","value":3}]',
    groupTitle: 'Pause',
  });
});
