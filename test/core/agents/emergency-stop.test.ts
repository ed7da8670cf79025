import { expect, test } from 'vitest';
import { everyRow, type CampaignsToPause, type ProposalView, targetsPerPage } from '#shared/app-api/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { maxWaiting } from '#core/proposals/index.ts';
import { changeElsewhere, createWorld, findCampaign, proposeBid, type World } from '../proposals/world.ts';
import {
  addSouthwind,
  cidsWith,
  emergencyStopView,
  frozenSince,
  leaveUnknown,
  pauseAll,
  start,
  statuses,
} from './emergency-stop-scene.ts';
import { eventually } from '#test/setup/eventually.ts';

async function records(world: World): Promise<string[]> {
  const { items } = await world.core.handlers['ledger.list']({
    beforeSeq: null,
    limit: 200,
    filter: everyRow,
  });
  return items
    .filter(({ kind }) => kind === 'agents.frozen' || kind === 'emergency-stop.started')
    .map(({ summary }) => summary)
    .toReversed();
}

test('one emergency stop freezes all agents and proposes one pause of all running campaigns without MCP or OAuth, and later their return', async () => {
  const world = await createWorld();
  const before = await statuses(world);
  const running = await cidsWith(world, 1, 4);
  expect(await emergencyStopView(world)).toEqual({
    set: { kind: 'running' },
    paused: null,
    resuming: null,
    pending: null,
    profile: 'Northwind Media',
    elsewhere: [],
  });

  const logged = world.service.requestLog().length;
  const pause = await start(world);
  expect(await frozenSince(world)).not.toBeNull();
  expect(new Set(pause.targets.map(({ cid }) => cid))).toEqual(new Set(running));
  expect(pause).toMatchObject({ operation: 'campaign.status', proposedBy: { kind: 'person' } });
  expect(world.shown.map(({ proposal }) => proposal.id)).toEqual([pause.id]);
  expect(world.puts()).toBe(0);
  expect(await emergencyStopView(world)).toMatchObject({ paused: null });

  await world.approve(await world.look(pause.id));
  const asked = world.service.requestLog().slice(logged);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(({ path }) => !path.includes('/login/campaigns/'))).toEqual([]);
  expect(await cidsWith(world, 1, 4)).toEqual([]);
  expect(await emergencyStopView(world)).toMatchObject({ paused: { campaigns: running.length } });

  const { id } = await world.core.handlers['emergencyStop.resume']({});
  const { proposal: resumed } = await world.approve(await world.look(id));
  await eventually(async () =>
    expect(await world.core.handlers['proposals.get']({ id: resumed.id })).toMatchObject({ state: 'done' }),
  );
  expect(await statuses(world)).toEqual(before);
  expect(await emergencyStopView(world)).toMatchObject({ paused: null });
  expect(await frozenSince(world)).not.toBeNull();
  await expect(world.core.handlers['emergencyStop.resume']({})).rejects.toMatchObject({
    code: 'nothing_paused',
  });
  expect(await records(world)).toEqual([
    'Froze all agents: nothing of theirs passes',
    `Emergency stop: agents are frozen, a pause of ${running.length} campaigns waits`,
  ]);
});

test('a stop of chosen campaigns pauses those that run, and the choice survives a restart', async () => {
  const world = await createWorld();
  const [one = 0, two = 0] = await cidsWith(world, 1);
  const [paused = 0] = await cidsWith(world, 3);
  const set: CampaignsToPause = { kind: 'chosen', cids: [one, two, paused, 999_999] };
  await world.core.handlers['emergencyStop.setCampaigns'](set);
  const next = await world.restart();
  expect(await emergencyStopView(next)).toMatchObject({ set, paused: null });
  const { targets } = await start(next);
  expect(new Set(targets.map(({ cid }) => cid))).toEqual(new Set([one, two]));
});

test('agents are frozen and nothing is proposed if none of the chosen campaigns runs', async () => {
  const world = await createWorld();
  const cids = (await cidsWith(world, 3)).slice(0, 1);
  await world.core.handlers['emergencyStop.setCampaigns']({ kind: 'chosen', cids });
  expect(await world.core.handlers['emergencyStop.start']({})).toEqual({
    id: null,
    address: null,
    say: 'Agents are frozen everywhere. None of the chosen campaigns runs in “Northwind Media”, so there is nothing to pause.',
  });
  expect(await frozenSince(world)).not.toBeNull();
  expect((await records(world)).at(-1)).toBe('Emergency stop: agents are frozen, nothing was left to pause');
});

test('a campaign that cannot be read does not keep others running, and counts as unlimited risk', async () => {
  const world = await createWorld();
  const [cid = 0] = await cidsWith(world, 1);
  world.service.faults.arm({ kind: 'answer', status: 403, method: 'GET', path: `/campaigns/${cid}` });
  const { id, risk } = await start(world);
  expect(risk.perDay.before).toMatchObject({ unlimited: true });
  expect(risk.perDay.after).toMatchObject({ micros: '0' });
  expect((await world.approve(await world.look(id))).proposal.state).toBe('verified');
  expect(await cidsWith(world, 1, 4)).toEqual([]);
});

test('an emergency stop that is pressed twice makes one pause', async () => {
  const world = await createWorld();
  const [first, second] = await Promise.all([start(world), start(world)]);
  expect(second.id).toBe(first.id);
  expect((await start(world)).id).toBe(first.id);
  expect((await world.core.handlers['session.status']({})).waiting).toBe(1);
  await world.deny(await world.look(first.id));
  expect(await emergencyStopView(world)).toMatchObject({ paused: null });
  expect((await start(world)).id).not.toBe(first.id);
});

test('a denied pause does not hide an earlier pause', async () => {
  const world = await createWorld();
  const { targets } = await pauseAll(world);
  const [back] = targets;
  await world.other.updateStatus(JSON.stringify({ ids: [back?.cid], status: 1 }));
  await world.deny(await world.look((await start(world)).id));
  expect(await emergencyStopView(world)).toMatchObject({ paused: { campaigns: targets.length } });
});

test('a campaign that another user stops before the approval stays unchanged, and the others are paused', async () => {
  const world = await createWorld();
  const { id, targets, title } = await start(world);
  expect(title).toBe(`Pause ${targets.length} running campaigns`);
  const display = await world.look(id);
  const [suspended, paused, dearer] = targets;
  await world.other.updateStatus(JSON.stringify({ ids: [suspended?.cid], status: 2 }));
  await world.other.updateStatus(JSON.stringify({ ids: [paused?.cid], status: 3 }));
  await changeElsewhere(world, dearer?.cid ?? 0, { enable_budget: 1, d_revenue: 900 });

  const { proposal, again } = await world.approve(display);
  expect({ state: proposal.state, again }).toEqual({ state: 'verified', again: null });
  expect(await cidsWith(world, 1, 4)).toEqual([]);
  expect((await statuses(world)).get(suspended?.cid ?? 0)).toBe(2);
  expect(proposal.verdicts.filter(({ verdict }) => verdict === 'left')).toMatchObject([
    { field: `${suspended?.cid}.status`, sent: 'Paused', found: 'Suspended' },
    { field: `${paused?.cid}.status`, sent: 'Paused', found: 'Paused' },
  ]);
  // An undo of the stop must not resume campaigns that the stop did not pause.
  expect(await emergencyStopView(world)).toMatchObject({ paused: { campaigns: targets.length - 2 } });
});

test('there is always room for the pause and its return, however many proposals wait and campaigns run', async () => {
  const world = await createWorld({ campaigns: 200 });
  const before = await statuses(world);
  expect((await cidsWith(world, 1, 4)).length).toBeGreaterThan(maxWaiting);
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  const suspend = () => world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 2 });
  for (let count = 0; count < maxWaiting; count += 1) await suspend();
  await expect(suspend()).rejects.toMatchObject({ code: 'too_many_waiting' });
  expect((await pauseAll(world)).state).toBe('verified');
  expect(await cidsWith(world, 1, 4)).toEqual([]);
  const progress: unknown[] = [];
  const follow = async (): Promise<void> => {
    progress.push((await emergencyStopView(world)).resuming);
  };
  world.core.subscribe(({ kind }) => {
    if (kind === 'status.changed') void follow();
  });
  const paused = (await cidsWith(world, 3)).length;
  const { id } = await world.core.handlers['emergencyStop.resume']({});
  expect(progress).toContainEqual({ total: paused, read: expect.any(Number) });
  expect((await emergencyStopView(world)).resuming).toBeNull();
  expect((await world.approve(await world.look(id))).proposal).toMatchObject({ state: 'done' });
  expect(await statuses(world)).toEqual(before);
});

test('more than 1,000 running campaigns are paused in parts under one decision, from their list alone, read in pages', async () => {
  const world = await createWorld({ campaigns: 2_200 });
  const running = await cidsWith(world, 1, 4);
  expect(running.length).toBeGreaterThan(1_000);
  const progress: unknown[] = [];
  const follow = async (): Promise<void> => {
    const { pending } = await emergencyStopView(world);
    if (pending?.kind === 'preparing') progress.push(pending.progress);
  };
  world.core.subscribe(({ kind }) => {
    if (kind === 'status.changed') void follow();
  });
  const logged = world.service.requestLog().length;
  const pause = await start(world);
  const asked = world.service.requestLog().slice(logged);
  expect(asked.filter(({ path }) => !path.includes('/campaigns/campaigns'))).toEqual([]);
  expect(progress).toEqual(
    expect.arrayContaining([null, { total: running.length, read: expect.any(Number) }]),
  );
  const { listed, targets, detail, title, warnings, typeToConfirm } = pause;
  expect({ title, listed, targets }).toEqual({
    title: `Pause ${defaultFormats.count(running.length)} running campaigns`,
    listed: { campaigns: running.length, changing: running.length },
    targets: [],
  });
  expect(detail).toMatchObject({ kind: 'batch', campaignCount: running.length, members: [{}, {}] });
  expect({ typeToConfirm, codes: warnings.map(({ code }) => code) }).toEqual({
    typeToConfirm: null,
    codes: [],
  });
  const shown = await pagesOf(world, pause);
  expect(new Set(shown.map(({ cid }) => cid))).toEqual(new Set(running));

  const [stopped = 0] = running;
  await world.other.updateStatus(canonicalJson({ ids: [stopped], status: 2 }));
  const ended = (await world.approve(await world.look(pause.id))).proposal;
  expect(ended).toMatchObject({ state: 'done' });
  expect(await cidsWith(world, 1, 4)).toEqual([]);
  expect((await statuses(world)).get(stopped)).toBe(2);
  expect(await emergencyStopView(world)).toMatchObject({ paused: { campaigns: running.length - 1 } });
});

async function pagesOf(world: World, { id, listed }: ProposalView): Promise<ProposalView['targets']> {
  const targets: ProposalView['targets'] = [];
  for (let from = 0; from < (listed?.campaigns ?? 0); from += targetsPerPage) {
    targets.push(...(await world.core.handlers['proposals.targets']({ id, from })).targets);
  }
  return targets;
}

test('the return counts the campaigns of each earlier status, and warns only of those without a daily limit', async () => {
  const world = await createWorld({ campaigns: 60 });
  const running = await cidsWith(world, 1, 4);
  await pauseAll(world);
  const { id } = await world.core.handlers['emergencyStop.resume']({});
  const resume = await world.core.handlers['proposals.get']({ id });
  const unlimited = resume.targets.filter(({ perDay }) => perDay.after.unlimited).length;
  expect(unlimited).toBeGreaterThan(0);
  const have = unlimited === 1 ? 'has' : 'have';
  expect(resume.title).toMatch(
    new RegExp(`^${running.length} campaigns return to their status of \\d\\d:\\d\\d$`),
  );
  expect(resume.warnings).toEqual([
    { code: 'exposure_unlimited', severity: 'danger', text: `${unlimited} of them ${have} no daily limit.` },
  ]);
  expect(resume.typeToConfirm).toEqual({
    label: 'Type the number of campaigns to confirm',
    value: String(running.length),
  });
  expect(resume.detail).toMatchObject({ campaignCount: running.length });
});

test('a change of status of more campaigns than one write may contain is one decision', async () => {
  const world = await createWorld({ campaigns: 1_100 });
  const cids = [...(await statuses(world)).keys()];
  const proposed = await world.core.handlers['campaigns.proposeStatus']({ cids, status: 2 });
  const changing = (await cidsWith(world, 0, 1, 3, 4)).length;
  expect(proposed).toMatchObject({
    title: `Suspend ${defaultFormats.count(changing)} campaigns`,
    listed: { campaigns: cids.length, changing },
  });
  expect((await world.approve(await world.look(proposed.id))).proposal).toMatchObject({ state: 'done' });
  expect(await cidsWith(world, 2)).toHaveLength(cids.length);
});

test('the return lists campaigns that others have changed since, and skips them', async () => {
  const world = await createWorld();
  const { targets } = await pauseAll(world);
  const [gone] = targets;
  await world.other.updateStatus(JSON.stringify({ ids: [gone?.cid], status: 2 }));
  const { id } = await world.core.handlers['emergencyStop.resume']({});
  const { detail, targets: returning } = await world.core.handlers['proposals.get']({ id });
  expect(returning).toHaveLength(targets.length - 1);
  expect(detail).toMatchObject({
    skipped: [{ what: `“${gone?.name}” (${gone?.cid})`, because: 'It is not Paused any more.' }],
  });
  expect(await world.core.handlers['emergencyStop.resume']({})).toMatchObject({ id });
});

test('a return whose profile stops being active while its campaigns are read proposes nothing in the new profile', async () => {
  const world = await createWorld({ host: 'desktop' });
  await pauseAll(world);
  const id = await addSouthwind(world);
  world.service.faults.arm({
    kind: 'meanwhile',
    method: 'GET',
    path: '/campaigns/campaigns',
    run: async () => void (await world.core.handlers['profiles.switch']({ id })),
  });
  await expect(world.core.handlers['emergencyStop.resume']({})).rejects.toMatchObject({
    code: 'profile_changed',
  });
  const { items } = await world.core.handlers['proposals.list']({
    which: 'waiting',
    before: null,
    limit: 10,
  });
  expect(items).toEqual([]);
});

test('a return without campaigns is refused', async () => {
  const world = await createWorld();
  const { targets } = await pauseAll(world);
  await world.other.updateStatus(JSON.stringify({ ids: targets.map(({ cid }) => cid), status: 2 }));
  await expect(world.core.handlers['emergencyStop.resume']({})).rejects.toMatchObject({
    code: 'nothing_paused',
    message: 'Each campaign of the last emergency pause was changed since.',
  });
  expect(await emergencyStopView(world)).toMatchObject({ paused: null });
});

test('until the pause is decided, a stop reports that nothing is paused yet, and the pause does not expire', async () => {
  const world = await createWorld();
  const { id } = await start(world);
  expect(await emergencyStopView(world)).toMatchObject({ pending: { kind: 'waiting', id } });
  world.clock.setForward(400 * 24 * 60 * 60_000);
  world.clock.advance(60_000);
  const restarted = await world.restart();
  expect(await restarted.core.handlers['proposals.get']({ id })).toMatchObject({ state: 'proposed' });
  expect(await emergencyStopView(restarted)).toMatchObject({ pending: { kind: 'waiting', id } });
  await restarted.approve(await restarted.look(id));
  expect(await emergencyStopView(restarted)).toMatchObject({
    pending: null,
    paused: expect.anything() as unknown,
  });
});

test('a denied pause counts as decided, and a pause in a batch does not expire', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  const [cid = 0] = proposal.targets.map((target) => target.cid);
  leaveUnknown(world, proposal.id);
  const pause = await start(world);
  expect(pause).toMatchObject({ operation: 'batch' });
  expect(pause.targets.map((target) => target.cid)).not.toContain(cid);
  const century = 99 * 365 * 24 * 60 * 60_000;
  expect(pause.expiresAtMs - pause.createdAtMs).toBeGreaterThan(century);
  if (pause.detail.kind !== 'batch') throw new Error('A batch');
  for (const member of pause.detail.members) {
    const { expiresAtMs, createdAtMs } = await world.core.handlers['proposals.get']({ id: member.id });
    expect(expiresAtMs - createdAtMs).toBeGreaterThan(century);
  }
  await world.deny(await world.look(pause.id));
  expect(await emergencyStopView(world)).toMatchObject({ pending: null, paused: null });
});

test('a stop whose pause could not be prepared keeps agents frozen, and reports this until it is pressed again or agents work again', async () => {
  const world = await createWorld();
  world.service.faults.arm({ kind: 'answer', status: 403, method: 'GET', path: '/campaigns/campaigns' });
  await expect(world.core.handlers['emergencyStop.start']({})).rejects.toThrow(
    /^All agents are frozen\. The pause of campaigns was not prepared: /,
  );
  expect(await frozenSince(world)).not.toBeNull();
  expect((await records(world)).at(-1)).toBe(
    'Emergency stop: agents are frozen, the pause of campaigns was not prepared',
  );
  expect(await emergencyStopView(world)).toMatchObject({ pending: { kind: 'failed' } });
  await world.core.handlers['agents.thaw']({});
  expect(await emergencyStopView(world)).toMatchObject({ pending: null });
  const { id } = await start(world);
  expect(await emergencyStopView(world)).toMatchObject({ pending: { kind: 'waiting', id } });
});
