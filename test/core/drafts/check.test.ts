import { describe, expect, test } from 'vitest';
import type { AppEvent } from '#shared/app-api/index.ts';
import type { FieldOperation } from '#shared/drafts/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { campaignNow, changeElsewhere, findCampaign } from '#test/core/proposals/world.ts';
import { check, checked, createDraftWorld, draft, draftsOf, propose } from './drafts-of.ts';

describe('a check of drafts reads, applies and validates, and finds', () => {
  test('a change that can be proposed, with its money at risk, and writes nothing', async () => {
    const { world, cid, campaign } = await createDraftWorld();
    await draft(world, cid, { name: 'Another name', d_revenue: Number(campaign['d_revenue']) + 1 });
    const { state, fields, perDay, problems, forecast, name } = await checked(world, cid);
    expect({ state, problems, name }).toEqual({ state: 'ready', problems: [], name: campaign['name'] });
    expect(fields.map(({ field, state: one }) => [field, one])).toEqual([
      ['name', 'changed'],
      ['d_revenue', 'changed'],
    ]);
    expect(fields[0]?.words).toMatchObject({ original: campaign['name'], mine: 'Another name' });
    expect(perDay?.after).toMatch(/^\$/);
    expect(forecast).toMatchObject({ status: 1, balance: null });
    expect(world.puts()).toBe(0);
  });

  test('a danger, before any review', async () => {
    const { world, cid } = await createDraftWorld();
    await changeElsewhere(world, cid, { enable_budget: 1, d_revenue: 50 });
    await draft(world, cid, { enable_budget: 0 });
    const { state, fields, problems, forecast } = await checked(world, cid);
    expect(state).toBe('warning');
    expect(fields).toMatchObject([{ field: 'enable_budget', state: 'warning' }]);
    expect(problems[0]).toMatchObject({ field: 'enable_budget', severity: 'danger' });
    expect(forecast).not.toBeNull();
  });

  test('a warning for the field that it is about, while other fields have their changes', async () => {
    const { world, cid, campaign } = await createDraftWorld();
    await changeElsewhere(world, cid, { payout: 0.05, enable_budget: 1, d_revenue: 50 });
    await draft(world, cid, { payout: 0.11, name: `${String(campaign['name'])} 2`, d_revenue: 55 });
    const { state, fields, problems } = await checked(world, cid);
    expect(state).toBe('warning');
    expect(fields.map(({ field, state: one }) => [field, one])).toEqual([
      ['payout', 'warning'],
      ['name', 'changed'],
      ['d_revenue', 'changed'],
    ]);
    expect(problems).toMatchObject([{ field: 'payout', severity: 'warning' }]);
  });

  test('an invalid value, with the same error as from the service', async () => {
    const { world, cid } = await createDraftWorld();
    await draft(world, cid, { payout: 99, name: 'Fine' });
    const { state, fields, perDay, forecast } = await checked(world, cid);
    expect(state).toBe('error');
    expect(fields.map(({ state: one }) => one)).toEqual(['error', 'changed']);
    expect(fields[0]?.message).toContain('Bid must be between');
    expect(perDay).toBeNull();
    expect(forecast).toBeNull();
    await expect(
      world.other.update(cid, JSON.stringify({ ...(await campaignNow(world, cid)), payout: 99 })),
    ).rejects.toMatchObject({ code: 'validation_failed', fields: [{ field: 'payout' }] });
  });

  test('an owner and an id that no draft may change', async () => {
    const { world, cid } = await createDraftWorld();
    await draft(world, cid, { uid: 1 });
    expect(await checked(world, cid)).toMatchObject({ state: 'error', forecast: null });
  });

  test('a draft that no longer changes anything', async () => {
    const { world, cid } = await createDraftWorld();
    await draft(world, cid, { name: 'By another' });
    await changeElsewhere(world, cid, { name: 'By another' });
    expect(await checked(world, cid)).toMatchObject({ state: 'same', fields: [{ state: 'same' }] });
  });

  test('how a result was rounded, and entries that already exist', async () => {
    const { world, cid, campaign } = await createDraftWorld();
    await draft(world, cid, {
      payout: { kind: 'percent', percent: '0.0007' },
      geo: { kind: 'addMembers', members: [(campaign['geo'] as string[])[0] ?? 'DE', 'XK'] },
    });
    const { fields } = await checked(world, cid);
    expect(fields[0]?.notes[0]).toMatch(/^Rounded from 0\.\d+\.$/);
    expect(fields[1]?.notes).toEqual(['1 entry was there already.']);
  });

  test('a failed read of a deleted campaign, and results for the others', async () => {
    const { world, cid } = await createDraftWorld();
    await draft(world, cid, { name: 'Another' });
    await world.core.handlers['drafts.change']({
      title: 'Rename',
      changes: [{ cid: 1, field: 'name', draft: { from: 'a', operations: [{ kind: 'set', value: 'b' }] } }],
    });
    const found = await check(world);
    expect(found.map((one) => [one.cid, one.state])).toEqual([
      [cid, 'ready'],
      [1, 'failed'],
    ]);
    expect(found[1]?.problems[0]?.message).toContain('does not exist');
  });
});

test('a change of status is checked as the service checks it, whatever else is invalid in the campaign', async () => {
  const { world, cid } = await createDraftWorld();
  await draft(world, cid, { status: 3 });
  expect(await checked(world, cid)).toMatchObject({
    state: 'ready',
    forecast: { status: 3, hoursNextWeek: 0, balance: null },
  });
  await draft(world, cid, { status: 0 });
  expect(await checked(world, cid)).toMatchObject({ state: 'error', forecast: null });
});

test.each([
  ['enough', 1_000_000, 'ready'],
  ['too_low', 999_999, 'warning'],
] as const)(
  'a check of an activation reports a balance that is %s before the change is proposed',
  async (balance, micros, state) => {
    const { world, cid, campaign } = await createDraftWorld();
    await changeElsewhere(world, cid, { status: 3, enable_budget: 1, d_revenue: 10 });
    world.service.setBalance(Number(campaign['uid']), micros);
    await draft(world, cid, { status: 1 });
    expect(await checked(world, cid)).toMatchObject({ state, forecast: { status: 1, balance } });
  },
);

const conflicts = [
  ['a text', 'name', { kind: 'set', value: 'Mine' }, 'Theirs', 'Mine'],
  ['a number', 'payout', { kind: 'percent', percent: '10' }, 0.05, 0.055],
  ['a schedule', 'shedule', { kind: 'addHours', hours: [0] }, week(1), week(0, 1)],
  ['a list', 'geo', { kind: 'addMembers', members: ['XK'] }, ['FR', 'IT'], ['FR', 'IT', 'XK']],
  ['a switch', 'enable_budget', { kind: 'set', value: 1 }, 1, null],
] as const;

describe('a field that someone else changed since its draft is a conflict', () => {
  test.each(conflicts)('of %s', async (_name, field, operation, theirs, kept) => {
    const { world, cid } = await createDraftWorld();
    const targeting = { geo_enabled: 0, geo: ['DE'], enable_shedule: 1, shedule: week(5) };
    const before = { ...targeting, shedule_timezone: 'UTC', enable_budget: 0 };
    await changeElsewhere(world, cid, before);
    const changed = structuredClone(operation) as never;
    await draft(world, cid, { [field]: changed });
    await changeElsewhere(world, cid, { [field]: theirs as never });
    const one = await checked(world, cid);
    const original = (await draftsOf(world, cid))?.fields[field]?.from;
    if (kept === null) {
      // Both changes lead to the same value, so there is no conflict to settle.
      expect(one).toMatchObject({ state: 'same', fields: [{ state: 'same', original, theirs }] });
      return;
    }
    expect(one).toMatchObject({
      state: 'conflict',
      fields: [{ state: 'conflict', original, theirs, mine: kept }],
    });
    const refused = await world.core.handlers['drafts.propose']({ cids: [cid] });
    expect(refused.proposed).toEqual([]);
    expect(refused.refused[0]?.message).toContain('when you drafted it');

    await world.core.handlers['drafts.settleConflict']({ cid, field, keep: 'theirs' });
    expect(await draftsOf(world, cid)).toBeUndefined();
    await world.core.handlers['drafts.undo']({});
    await world.core.handlers['drafts.settleConflict']({ cid, field, keep: 'mine', theirs: theirs as never });
    const settled = await checked(world, cid);
    expect(settled.fields[0]).toMatchObject({ original: theirs, mine: kept });
    expect([
      ['ready', 'changed'],
      ['warning', 'warning'],
    ]).toContainEqual([settled.state, settled.fields[0]?.state]);
  });
});

test('each kind of field has its own conflict, which is settled separately', async () => {
  const { world, cid } = await createDraftWorld();
  const image = (name: string) => ({ url: `https://img.example/${name}.png`, width: 192, height: 192 });
  await changeElsewhere(world, cid, {
    enable_budget: 1,
    enable_time: 1,
    create: '2026-01-01',
    create_time: '00:00',
    expire: '2027-06-30',
    expire_time: '23:59',
    enable_shedule: 1,
    shedule: week(5),
    shedule_timezone: 'UTC',
    freq_cap: 1,
    freq_counter: 3,
    traffic_speed: 1,
    traffic_speed_counter: 2_000,
    geo_enabled: 0,
    geo: ['DE'],
    name: 'Old',
    payout: 0.1,
    clickurl: 'https://old.example/',
    title: 'Old',
    icon: image('old'),
    d_revenue: 50,
    keywords_blocklist: 'casino',
    publisher_blocklist: [1],
    bidControl: [{ source: 'zone-1', bid: 0.1 }],
  });
  const bidOf = (value: number) => [{ source: 'zone-1', bid: value }];
  const setBid = { kind: 'setBidControl', control: bidOf(0.1)[0] ?? {}, member: 'bid', value: 0.2 } as const;
  const kinds: [
    field: string,
    mine: FieldOperation | JsonValue,
    theirs: JsonValue,
    kept: JsonValue | null,
  ][] = [
    ['name', 'Mine', 'Theirs', 'Mine'],
    ['status', 2, 3, 2],
    ['payout', { kind: 'percent', percent: '10' }, 0.2, 0.22],
    [
      'clickurl',
      { kind: 'replaceText', find: 'old', replacement: 'mine', matchesCase: true },
      'https://old.example/b',
      'https://mine.example/b',
    ],
    ['title', 'Mine', 'Theirs', 'Mine'],
    ['icon', image('mine'), image('theirs'), image('mine')],
    ['d_revenue', { kind: 'add', amount: '5' }, 60, 65],
    ['expire', { kind: 'shiftDays', days: 1 }, '2027-07-31', '2027-08-01'],
    ['shedule', { kind: 'addHours', hours: [0] }, week(1), week(0, 1)],
    ['freq_counter', 4, 5, 4],
    ['traffic_speed_counter', { kind: 'floor', amount: '4000' }, 3_000, 4_000],
    ['geo', { kind: 'addMembers', members: ['FR'] }, ['IT'], ['IT', 'FR']],
    ['keywords_blocklist', { kind: 'addMembers', members: ['bet'] }, 'loan', 'loan\nbet'],
    ['publisher_blocklist', { kind: 'removeMembers', members: [1] }, [1, 2], [2]],
    // Somebody replaced the control that the draft changes.
    ['bidControl', setBid, bidOf(0.15), null],
  ];
  await draft(world, cid, Object.fromEntries(kinds.map(([field, mine]) => [field, mine])));
  const before = await draftsOf(world, cid);
  await changeElsewhere(world, cid, Object.fromEntries(kinds.map(([field, , theirs]) => [field, theirs])));
  const found = await checked(world, cid);
  for (const [field, , theirs, kept] of kinds) {
    const one = found.fields.find((candidate) => candidate.field === field);
    const original = before?.fields[field]?.from;
    const mine = kept === null ? {} : { mine: kept };
    expect(one, field).toMatchObject({ state: 'conflict', original, theirs, ...mine });
    expect(one?.words.theirs, field).not.toBe('');
    await world.core.handlers['drafts.settleConflict'](
      kept === null ? { cid, field, keep: 'theirs' } : { cid, field, keep: 'mine', theirs },
    );
    const { state } = (await checked(world, cid)).fields.find((candidate) => candidate.field === field) ?? {};
    // A change with a warning is still a change.
    if (kept === null) expect(state, field).toBeUndefined();
    else expect(['changed', 'warning'], field).toContain(state);
  }
  const { proposed } = await propose(world, [cid]);
  await world.approve(await world.look(proposed[0]?.proposalId ?? ''));
  const now = await campaignNow(world, cid);
  for (const [field, , theirs, kept] of kinds) expect(now[field], field).toEqual(kept ?? theirs);
});

test('the user can keep a draft over the value that was shown, but not over a later value', async () => {
  const { world, cid } = await createDraftWorld();
  const settle = async (theirs: string) =>
    world.core.handlers['drafts.settleConflict']({ cid, field: 'name', keep: 'mine', theirs });
  await draft(world, cid, { name: 'Mine' });
  const before = (await draftsOf(world, cid))?.fields;
  await changeElsewhere(world, cid, { name: 'Theirs' });
  expect((await checked(world, cid)).fields).toMatchObject([{ state: 'conflict', theirs: 'Theirs' }]);
  await changeElsewhere(world, cid, { name: 'Later' });
  await world.core.handlers['campaigns.get']({ cid });
  const heard: AppEvent[] = [];
  world.core.subscribe((event) => void heard.push(event));
  await expect(settle('Theirs')).rejects.toMatchObject({ code: 'edit_conflict' });
  expect(heard).toContainEqual({ kind: 'campaigns.changed', cids: [cid] });
  expect((await draftsOf(world, cid))?.fields).toEqual(before);
  await settle('Later');
  expect((await checked(world, cid)).fields).toMatchObject([{ state: 'changed', mine: 'Mine' }]);
});

test('a field that was removed keeps its draft until the draft is discarded', async () => {
  const { world, cid } = await createDraftWorld();
  const change = {
    cid,
    field: 'gone',
    draft: { from: 'a', operations: [{ kind: 'set' as const, value: 'b' }] },
  };
  await world.core.handlers['drafts.change']({ title: 'A change', changes: [change] });
  const settle = { cid, field: 'gone' };
  await expect(
    world.core.handlers['drafts.settleConflict']({ ...settle, keep: 'mine', theirs: 'a' }),
  ).rejects.toMatchObject({ code: 'edit_conflict', message: expect.stringContaining('no field') as string });
  expect((await draftsOf(world, cid))?.fields).toHaveProperty('gone');
  await world.core.handlers['drafts.settleConflict']({ ...settle, keep: 'theirs' });
  expect(await draftsOf(world, cid)).toBeUndefined();
});

test('results end when a draft or campaign changes, a new check replaces the running one, and a stopped check keeps its results', async () => {
  const { world, cid } = await createDraftWorld();
  const { cid: second } = await findCampaign(world, (row) => row.cid !== cid && row.status === 1);
  await draft(world, cid, { name: 'First' });
  await draft(world, second, { name: 'Second' });
  const heard: AppEvent[] = [];
  world.core.subscribe((event) => void heard.push(event));
  await world.core.handlers['drafts.check']({ cids: null });
  expect((await check(world)).map((one) => one.cid)).toEqual([cid, second]);
  expect(heard.some((event) => event.kind === 'drafts.changed' && event.cids.includes(second))).toBe(true);
  await draft(world, cid, { name: 'Changed' });
  expect((await world.core.handlers['drafts.checked']({})).campaigns.map((one) => one.cid)).toEqual([second]);
  const answering = Promise.withResolvers<void>();
  world.service.faults.arm({ kind: 'meanwhile', path: String(cid), run: () => answering.promise });
  await world.core.handlers['drafts.check']({ cids: null });
  await world.core.handlers['drafts.stopChecking']({});
  answering.resolve();
  expect(await world.core.handlers['drafts.checked']({})).toMatchObject({ isRunning: false, total: 2 });
});

function week(...hours: number[]): number[] {
  return Array.from({ length: 168 }, (_, hour) => (hours.includes(hour) ? 1 : 0));
}
