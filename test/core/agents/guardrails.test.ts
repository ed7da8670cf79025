import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createLimitClock } from '#core/platform/limit-clock.ts';
import { createGuardrails, type GuardrailSettings } from '#core/agents/index.ts';
import type { AgentGuard } from '#core/proposals/index.ts';
import type { CallEffect } from '#shared/wording/index.ts';
import { describeUpdate } from '#core/proposals/operations/describe-write.ts';
import type { AppStore, StoredAgent, StoredProposal } from '#core/store/app/index.ts';
import { everyRow, guardrailsSchema, type Guardrails, type ProposalState } from '#shared/app-api/index.ts';
import { diffCampaigns, moneyText } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isExecuted, isOpen, proposalStates } from '#shared/proposals/states.ts';
import { openLedger } from '#test/core/ledger/fixture.ts';
import { exampleStored } from '#test/core/store/app/stored-proposal.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { noGuardrails } from '#test/fixtures/guardrails.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { admittedAgent } from '#test/fixtures/agent.ts';
import { usualFormats } from '#shared/lib/formats.ts';
import { sentence } from '#shared/lib/sentence.ts';

type Guarded = Parameters<AgentGuard['assertAllowed']>[0];
type Words = Guarded['words'];
type Pair = Words['risk']['perDay'];

const noon = Date.UTC(2026, 5, 10, 12);
const profile = {
  id: 'live-1',
  name: 'Northwind',
  kind: 'live' as const,
  account: '7',
  zone: 'Europe/Berlin',
};
const agent: StoredAgent = { ...admittedAgent, name: 'Optimizer', profileId: profile.id };

/** Stores guardrails as a person does who has seen the current ones. */
const setTo = (settings: GuardrailSettings, profileId: string, guardrails: Guardrails): Guardrails =>
  settings.set(profileId, { base: settings.get(profileId), guardrails });

/** Money per day in dollars; null is unlimited. */
function perDay(before: number | null, after: number | null): Pair {
  const text = (dollars: number | null): Pair['before'] =>
    moneyText(
      dollars === null ? { kind: 'unlimited' } : { kind: 'amount', micros: BigInt(dollars) * 1_000_000n },
      usualFormats,
    );
  return { before: text(before), after: text(after) };
}

const nothing = perDay(0, 0);

interface AskedChange {
  targets?: [cid: number, pair: Pair][];
  changes?: [field: string, before: JsonValue, after: JsonValue, cid?: number][];
  /** For a tool call only. */
  known?: 'update' | 'status' | 'campaign' | 'arguments';
  /** The effect that the arguments state. Defaults to the effect of the targets. */
  effect?: CallEffect;
  payload?: string;
  together?: Pair;
  /** Real words of a change; replaces all other members. */
  words?: Words;
}

const effects = { update: 'stated', status: 'stated', campaign: 'named', arguments: 'unknown' } as const;

function guarded(asked: AskedChange, agentId: string | null = agent.id): Guarded {
  const targets = asked.targets ?? [[1042, nothing]];
  const isTool = asked.known !== undefined;
  const detail: Words['detail'] = isTool
    ? {
        kind: 'tool',
        name: 'svc_commit',
        title: null,
        definitionHash: 'a'.repeat(64),
        known: asked.known ?? 'arguments',
        effect: asked.effect ?? effects[asked.known ?? 'arguments'],
        prepared: false,
        args: [],
      }
    : { kind: 'campaigns' };
  return {
    proposer: {
      profile,
      proposedBy: { kind: 'agent', name: agent.name, sinceMs: 0, agentId },
      quotation: null,
    },
    draft: {
      operation: isTool ? 'tool.call' : 'campaign.update',
      targets: targets.map(([cid]) => cid),
      payload: asked.payload ?? '{}',
      rebase: null,
    },
    words: asked.words ?? {
      title: sentence`A change`,
      targets: targets.map(([cid, pair]) => ({
        cid,
        name: 'x',
        statusBefore: 1,
        statusAfter: 1,
        perDay: pair,
        untilEnd: pair,
      })),
      risk: {
        perDay: asked.together ?? targets[0]?.[1] ?? nothing,
        untilEnd: nothing,
        bidFactor: null,
        notes: [],
      },
      warnings: [],
      facts: [],
      typeToConfirm: null,
      changes: [],
      unchanged: [],
      detail,
      effects: {
        certainty: detail.kind === 'tool' ? detail.effect : 'stated',
        changes: (asked.changes ?? []).flatMap(([field, before, after, cid = 1042]) =>
          diffCampaigns({ [field]: before }, { [field]: after }).map((effect) => ({ ...effect, cid })),
        ),
      },
      comparable: null,
    },
  };
}

interface World {
  settings: GuardrailSettings;
  store: AppStore;
  clock: ManualClock;
  living: { agent: StoredAgent | null };
  frozen: { is: boolean };
  /** Limits that the administrator has set. */
  fixed: { limits: Guardrails | null };
  bodies(): unknown[];
  refusal(asked: AskedChange): string | null;
  past(
    change: {
      agoMs?: number;
      movedAgoMs?: number;
      state?: ProposalState;
      pair?: Pair;
    } & Partial<StoredProposal>,
  ): void;
  again(): Promise<World>;
}

const hourMs = 3_600_000;

function openWorld(
  limits: Partial<Guardrails> = {},
  folder = tempFolder(),
  dataKey = randomBytes(32),
  clock = createManualClock(noon),
): World {
  const { store, ledger, close } = openLedger(folder, dataKey);
  const living = { agent };
  const frozen = { is: false };
  const fixed: World['fixed'] = { limits: null };
  const settings = createGuardrails({
    store,
    ledger,
    limitClock: createLimitClock(
      clock,
      { passedMs: clock.monotonicMs, startId: 'a start' },
      { read: () => store.settings.get('count'), write: (text) => store.settings.set('count', text) },
    ),
    policy: { guardrails: () => fixed.limits },
    agents: { living: () => living.agent },
    freeze: {
      assertThawed() {
        if (frozen.is) throw new AppError('agents_frozen');
      },
    },
    onChange() {},
    formats: () => usualFormats,
  });
  if (Object.keys(limits).length > 0) setTo(settings, profile.id, { ...noGuardrails, ...limits });
  let number = 0;
  return {
    settings,
    store,
    clock,
    living,
    frozen,
    fixed,
    bodies: () =>
      store.ledger
        .page({ filter: everyRow, beforeSeq: null, limit: 50 })
        .rows.filter(({ kind }) => kind === 'guardrails.changed')
        .map(({ body }) => JSON.parse(body) as unknown)
        .toReversed(),
    refusal(asked) {
      try {
        settings.guard.assertAllowed(guarded(asked));
        return null;
      } catch (failure) {
        if (failure instanceof AppError && failure.code === 'guardrail') return failure.message;
        throw failure;
      }
    },
    past({ agoMs = 0, movedAgoMs = agoMs, state = 'verified', pair = nothing, ...rest }) {
      const { headline } = exampleStored();
      store.proposals.insert(
        exampleStored({
          id: String((number += 1)).padStart(6, '0'),
          state,
          createdAtMs: clock.nowMs() - agoMs,
          updatedAtMs: clock.nowMs() - movedAgoMs,
          proposedBy: { kind: 'agent', name: agent.name, sinceMs: 0, agentId: agent.id },
          headline: { ...headline, perDay: pair },
          targets: [1042],
          rebase: null,
          ...rest,
        }),
      );
    },
    async again() {
      await close();
      return openWorld({}, folder, dataKey, clock);
    },
  };
}

const minutes = 60_000;
const hours = 60 * minutes;
const bid = (before: number, after: number): AskedChange => ({ changes: [['payout', before, after]] });
const field = (name: string, before: JsonValue, after: JsonValue): AskedChange => ({
  changes: [[name, before, after]],
});
/** Puts a harmless change of another campaign before the change. */
const ofSeveral = ({ changes = [] }: AskedChange): AskedChange => ({
  changes: [['name', 'a', 'b', 1041], ...changes],
});
const raise = (before: number | null, after: number | null): AskedChange => ({
  targets: [[1042, perDay(before, after)]],
});

/**
 * The first campaign begins to spend today; the second begins in 2031, before and after. So the sum of the two begins in 2031
 * before, and today after.
 */
function groupOf(dollars: number): AskedChange & { together: Pair } {
  const later = { ...perDay(100, 100).before, from: '2031-01-01' };
  return {
    targets: [
      [1, perDay(0, dollars)],
      [2, { before: later, after: later }],
    ],
    together: { before: later, after: perDay(0, 100 + dollars).after },
  };
}

const campaigns = (count: number): [cid: number, pair: Pair][] =>
  Array.from({ length: count }, (_, index) => [index + 1, nothing]);

describe('one change of an agent passes or not', () => {
  const bids = { maxBidFactor: 1.5 };
  const raises = { maxRaisePerDayMicros: '100000000' };
  const kept = { untouchable: [1042] };
  const assumed = 'assumed';

  test.each<[string, Partial<Guardrails>, AskedChange, string | null]>([
    ['without a limit, anything', {}, { known: 'arguments', targets: [] }, null],

    ['a bid at its limit', bids, bid(0.04, 0.06), null],
    [
      'a bid over its limit by the smallest step',
      bids,
      bid(0.04, 0.060001),
      'One change may raise a bid to 1.5 times the current one at most. $0.040 → $0.060001 is more; up to $0.060 is allowed.',
    ],
    ['a lower bid', { maxBidFactor: 1 }, bid(0.04, 0.001), null],
    ['a bid from nothing', bids, bid(0.0, 0.001), 'There is no bid to compare $0.001 with.'],
    ['a bid that is no amount', bids, field('payout', 'x', 0.001), 'Countersign cannot compare these bids.'],
    ['one of several bids', bids, ofSeveral(bid(1000.0, 1500.001)), 'up to $1,500.000 is allowed.'],
    ['another type', bids, field('type', 1, 2), 'leave the type as it is'],
    ['bid controls', bids, field('bidControl', [], [{ factor: 2 }]), 'leave them as they are'],
    ['another name', bids, field('name', 'a', 'b'), null],
    ['an unknown field', bids, field('bid_factor', 1, 1000), 'what “Bid factor” does to it'],
    [
      'one of several campaigns',
      bids,
      ofSeveral(field('bid_factor', 1, 1000)),
      'what “Bid factor” does to it',
    ],
    ['a field that ends like a known one', bids, field('x.name', 1, 2), 'what “x.name” does to it'],
    [
      'a list that the service names',
      bids,
      field('ip_blocklist', ['10.0.0.1', '10.0.0.2'], ['10.0.0.1']),
      null,
    ],
    ['the same list, empty and then not', bids, field('ip_blocklist', null, ['10.0.0.1']), null],
    [
      'a number under a name like a list’s',
      bids,
      field('daily_allowance', 10, 1000),
      'what “Daily allowance” does',
    ],
    [
      'a number that comes',
      bids,
      field('blocked_until_spend', null, 1000),
      'what “Blocked until spend” does',
    ],
    [
      'a switch under such a name',
      bids,
      field('allow_overspend', false, true),
      'what “Allow overspend” does',
    ],
    [
      'bids under such a name',
      bids,
      field('keyword_bids', { shoes: 0.1 }, { shoes: 10 }),
      'what “Keyword bids” does to it',
    ],
    [
      'a list of more than entries',
      bids,
      field('source_blacklist', [{ id: 7, bid: 0.1 }], [{ id: 7, bid: 10 }]),
      'what “Source blacklist” does to it',
    ],
    ['a bid in a known tool call', bids, { ...bid(0.04, 0.4), known: 'update' }, 'is more'],
    ['an unknown tool call', bids, { known: 'campaign' }, 'Countersign cannot tell'],
    [
      'a tool whose arguments only look like a lower bid',
      bids,
      { ...bid(0.04, 0.001), known: 'update', effect: assumed },
      'Countersign cannot tell',
    ],

    ['a raise at its limit', raises, raise(50, 150), null],
    [
      'a raise over its limit',
      raises,
      raise(50, 151),
      'One change may raise the money at risk per day by $100.00 at most. This one raises it by $101.00.',
    ],
    ['a lowering', raises, raise(500, 1), null],
    ['unlimited money', raises, raise(50, null), 'This one makes it unlimited.'],
    ['money that was unlimited', raises, raise(null, null), null],
    [
      'an unknown field, under the same budgets',
      raises,
      { ...raise(50, 50), ...field('budget_override', 0, 1) },
      'Countersign cannot tell',
    ],
    [
      'a list that the service names, under the same budgets',
      raises,
      { ...raise(50, 50), ...field('domain_whitelist', [], ['example.com']), known: 'update' },
      null,
    ],
    [
      'a raise that another campaign pays for',
      raises,
      {
        targets: [
          [1, perDay(500, 0)],
          [2, perDay(0, 101)],
        ],
        together: perDay(500, 101),
      },
      'raises it by $101.00',
    ],
    [
      'a raise that hides in an unlimited sum',
      raises,
      {
        targets: [
          [1, perDay(null, null)],
          [2, perDay(0, 101)],
        ],
        together: perDay(null, null),
      },
      'raises it by $101.00',
    ],
    ['one that begins beside one that waits for its start', raises, groupOf(100), null],
    ['a raise beside one that waits for its start', raises, groupOf(101), 'raises it by $101.00'],
    ['a raise that only the sum tells', raises, { targets: [], together: perDay(0, 101) }, '$101.00'],
    ['an unknown raise', raises, { known: 'arguments' }, 'Countersign cannot tell'],
    [
      'a tool whose arguments only look like a pause',
      raises,
      { ...raise(50, 0), known: 'status', effect: assumed },
      'Countersign cannot tell',
    ],

    [
      'as many campaigns',
      { maxCampaigns: 2 },
      {
        targets: [
          [1, nothing],
          [2, nothing],
        ],
      },
      null,
    ],
    [
      'one campaign more',
      { maxCampaigns: 1 },
      {
        targets: [
          [1, nothing],
          [2, nothing],
        ],
      },
      'One change may touch 1 campaign at most. This one touches 2; split it into smaller ones.',
    ],
    ['a call that names one', { maxCampaigns: 1 }, { known: 'campaign' }, 'cannot tell'],
    ['a call that names none', { maxCampaigns: 1 }, { known: 'campaign', targets: [] }, 'cannot tell'],
    ['a call that is only arguments', { maxCampaigns: 1 }, { known: 'arguments' }, 'cannot tell'],

    ['another campaign', kept, { targets: [[1043, nothing]] }, null],
    ['a kept campaign', kept, {}, 'Campaign 1042 must not be touched by any agent.'],
    [
      'a kept campaign among others',
      kept,
      {
        targets: [
          [1043, nothing],
          [1042, nothing],
        ],
      },
      'Campaign 1042 must not be touched by any agent. The others are allowed without it.',
    ],
    [
      'unknown campaigns',
      kept,
      { known: 'arguments', targets: [] },
      'cannot tell which ones this call touches',
    ],
    ['unknown campaigns of a call', kept, { known: 'campaign', targets: [] }, 'cannot tell which ones'],
    [
      'a call that names another campaign, and may touch any',
      kept,
      { known: 'campaign', targets: [[1043, nothing]] },
      'cannot tell which ones this call touches. A prepared change to other campaigns',
    ],
    [
      'a call whose effect is only assumed',
      kept,
      { known: 'update', targets: [[1043, nothing]], effect: assumed },
      'cannot tell which ones',
    ],
    [
      'a status that is only assumed',
      { maxCampaigns: 1 },
      { known: 'status', targets: [[1043, nothing]], effect: assumed },
      'cannot tell how many this call touches. A prepared change',
    ],
    [
      'a known change with that amount',
      kept,
      { known: 'update', targets: [[1043, nothing]], payload: '{"d_revenue":1042}' },
      null,
    ],
  ])('%s', (_what, limits, asked, refusal) => {
    const found = openWorld(limits).refusal(asked);
    if (refusal === null) expect(found).toBeNull();
    else expect(found).toContain(refusal);
  });
});

function update(before: JsonObject, change: JsonObject): Pick<AskedChange, 'words'> {
  const campaign = { ...exampleCampaign('push'), ...before };
  const { types, settings } = exampleContext();
  const words = describeUpdate(
    {
      payload: JSON.stringify({ ...campaign, ...change }),
      base: JSON.stringify({ campaign, campaign_types: types, settings }),
      createdAtMs: noon,
      profile,
      proposedBy: { kind: 'agent', name: 'Claude Code', sinceMs: 0, agentId: 'agent-1' },
      rebase: null,
    },
    usualFormats,
  );
  return { words };
}

describe('a limit of $0 lets nothing spend earlier, longer, again or without an end', () => {
  const perDayOnly = { maxRaisePerDayMicros: '0' };
  const untilEndOnly = { maxRaiseUntilEndMicros: '0' };
  const both: Partial<Guardrails>[] = [perDayOnly, untilEndOnly];
  const hoursOn = (on: number): number[] =>
    Array.from({ length: 168 }, (_hour, index) => (index < on ? 1 : 0));

  test.each<[string, JsonObject, JsonObject, Partial<Guardrails>[]]>([
    ['hours from none to 167', { shedule: hoursOn(0) }, { shedule: hoursOn(167) }, both],
    ['a start from 2031 to today', { create: '2031-01-01', expire: '' }, { create: '2026-06-10' }, both],
    ['a start a day earlier', { create: '2026-07-02' }, { create: '2026-07-01' }, both],
    ['a finished flight for ten years', { expire: '2026-06-09' }, { expire: '2036-06-10' }, both],
    ['budgets switched off', {}, { enable_budget: 0 }, both],
    ['a daily budget', {}, { d_revenue: 51 }, [perDayOnly]],
    ['no total budget', { expire: '' }, { t_revenue: 0 }, [untilEndOnly]],
    ['a total budget a hundred times as high', { expire: '' }, { t_revenue: 205_000 }, [untilEndOnly]],
    ['an end in a hundred years', { t_revenue: 0 }, { expire: '2126-12-31' }, [untilEndOnly]],
    ['an end in a hundred years, under the total budget', {}, { expire: '2126-12-31' }, [untilEndOnly]],
    ['no end, under the total budget', {}, { enable_time: 0 }, [untilEndOnly]],
    ['a later end without budgets', { enable_budget: 0 }, { expire: '2127-01-01' }, [untilEndOnly]],
  ])('%s', (_what, before, change, refusing) => {
    for (const limits of refusing) {
      expect(openWorld(limits).refusal(update(before, change))).toMatch(
        /^One change may raise the money at risk/,
      );
    }
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['another name', {}, { name: 'Another' }],
    ['fewer hours', {}, { shedule: hoursOn(12) }],
    ['a later start', {}, { create: '2026-08-01' }],
    ['an earlier end', {}, { expire: '2026-12-01' }],
    ['lower budgets', {}, { d_revenue: 10, t_revenue: 100 }],
    ['a pause', {}, { status: 3 }],
    ['what was unlimited', { enable_budget: 0 }, { name: 'Another' }],
  ])('and lets pass what raises nothing: %s', (_what, before, change) => {
    expect(openWorld({ ...perDayOnly, ...untilEndOnly }).refusal(update(before, change))).toBeNull();
  });

  test('the refusal says the span and the raise', () => {
    const asked = update({ expire: '' }, { t_revenue: 2150 });
    expect(openWorld({ maxRaiseUntilEndMicros: '99000000' }).refusal(asked)).toBe(
      'One change may raise the money at risk until the end by $99.00 at most. This one raises it by $100.00.',
    );
    expect(openWorld({ maxRaiseUntilEndMicros: '100000000' }).refusal(asked)).toBeNull();
  });

  test('a start that moves to today takes room of the pace over time, for it too', () => {
    const world = openWorld({ spendPace: { micros: '0', hours: 1 } });
    const asked = update({ create: '2031-01-01', expire: '' }, { create: '2026-06-10' });
    expect(world.refusal(asked)).toContain('This one raises it by $50.00.');
  });
});

describe('quiet hours are those of the clock on the wall', () => {
  test.each<[string, [number, number], string, boolean]>([
    ['before the night', [22, 6], '2026-06-10T19:59:59Z', false],
    ['its first second', [22, 6], '2026-06-10T20:00:00Z', true],
    ['past midnight', [22, 6], '2026-06-10T23:30:00Z', true],
    ['its last second', [22, 6], '2026-06-11T03:59:59Z', true],
    ['after the night', [22, 6], '2026-06-11T04:00:00Z', false],
    ['in winter the same hour is another one in UTC', [22, 6], '2026-01-10T20:59:59Z', false],
    ['in winter', [22, 6], '2026-01-10T21:00:00Z', true],
    ['within a day', [9, 17], '2026-06-10T15:00:00Z', false],
    ['within a day, at noon', [9, 17], '2026-06-10T10:00:00Z', true],
    ['before the hour that the clock skips', [2, 3], '2026-03-29T00:59:59Z', false],
    ['the hour that the clock skips', [2, 3], '2026-03-29T01:00:00Z', false],
    ['the hour that comes twice', [2, 3], '2026-10-25T00:30:00Z', true],
    ['the hour that comes twice, again', [2, 3], '2026-10-25T01:30:00Z', true],
    ['after it', [2, 3], '2026-10-25T02:00:00Z', false],
    ['from an hour until itself, always', [5, 5], '2026-06-10T12:00:00Z', true],
  ])('%s', (_what, [fromHour, untilHour], at, isQuiet) => {
    const world = openWorld({ quietHours: { fromHour, untilHour } });
    world.clock.advance(Date.parse(at) - noon);
    expect(world.refusal({}) !== null).toBe(isQuiet);
  });

  test.each([false, true].flatMap((restarts) => [8, -8, 30, -30].map((hours) => ({ hours, restarts }))))(
    'end at their time, also if the clock is set by $hours hours, restarts: $restarts',
    async ({ hours, restarts }) => {
      let world = openWorld({ quietHours: { fromHour: 9, untilHour: 17 } });
      const set = async (byHours: number): Promise<void> => {
        world.clock.setForward(byHours * hourMs);
        if (restarts) world = await world.again();
      };
      await set(hours);
      expect(world.refusal({})).not.toBeNull();
      await set(-hours);
      world.clock.advance(8 * hourMs);
      expect(world.refusal({})).toBeNull();
      // Quiet hours also apply at the times that an adjusted clock shows.
      await set(-8);
      expect(world.refusal({})).not.toBeNull();
    },
  );

  test('follow a clock that was set alone after a day', async () => {
    let world = openWorld({ quietHours: { fromHour: 9, untilHour: 17 } });
    world.clock.setForward(8 * hourMs);
    expect(world.refusal({})).not.toBeNull();
    world.clock.advance(12 * hourMs);
    world = await world.again();
    // It is quiet by the time that passed without the adjustment of the clock.
    world.clock.advance(11 * hourMs);
    expect(world.refusal({})).not.toBeNull();
    world.clock.advance(hourMs);
    world.refusal({});
    expect(world.refusal({})).toBeNull();
  });

  test('the refusal says the hours, the zone and when it passes', () => {
    expect(openWorld({ quietHours: { fromHour: 9, untilHour: 17 } }).refusal({})).toBe(
      'No agent may change anything from 09:00 until 17:00 (Europe/Berlin). Try again from 17:00.',
    );
  });
});

describe('the pace of one agent', () => {
  test.each([false, true])('is not renewed by setting the clock, restarts: %s', async (restarts) => {
    let world = openWorld({ pace: { changes: 1, minutes: 60 } });
    world.past({ agoMs: 1_000 });
    world.clock.setForward(48 * hourMs);
    if (restarts) world = await world.again();
    expect(world.refusal({})).not.toBeNull();
    world.clock.advance(hourMs);
    expect(world.refusal({})).toBeNull();
  });

  const limits = { pace: { changes: 2, minutes: 10 } };

  test('counts what it proposed in the window, and says how long to wait', () => {
    const world = openWorld(limits);
    world.past({ agoMs: 8 * minutes, state: 'withdrawn' });
    expect(world.refusal({})).toBeNull();
    world.past({ agoMs: minutes, state: 'proposed' });
    expect(world.refusal({})).toBe(
      'One agent may propose 2 changes in 10 minutes at most. The next one is allowed in 2 minutes.',
    );
    world.clock.advance(2 * minutes);
    expect(world.refusal({})).toBeNull();
  });

  test('counts neither other agents, nor its admission, nor successors on a changed base', () => {
    const world = openWorld(limits);
    const other = { kind: 'agent' as const, name: 'Other', sinceMs: 0, agentId: 'agent-2' };
    for (const change of [
      { proposedBy: other },
      { operation: 'agent.admit' as const },
      { rebase: { of: '1', round: 1, moved: [], volatile: [] } },
    ]) {
      world.past(change);
      world.past(change);
    }
    expect(world.refusal({})).toBeNull();
  });
});

describe('the spending pace of one agent', () => {
  const limits = { spendPace: { micros: '500000000', hours: 24 } };

  test('an earlier raise takes its room while it may still be executed, and once it was; any other end gives it back', () => {
    const takesRoom = proposalStates.filter((state) => {
      const world = openWorld(limits);
      world.past({ state, pair: perDay(0, 400) });
      expect(world.refusal(raise(0, 100))).toBeNull();
      return world.refusal(raise(0, 101)) !== null;
    });
    expect(takesRoom).toEqual(
      proposalStates.filter((state) => isOpen(state) || isExecuted(state) || state === 'unknown'),
    );
  });

  test('the refusal says the limit, the raise and the room that is left', () => {
    const world = openWorld(limits);
    world.past({ state: 'proposed', pair: perDay(0, 400) });
    expect(world.refusal(raise(0, 101))).toBe(
      'The changes of one agent may raise the money at risk per day by $500.00 in 24 hours at most. ' +
        'This one raises it by $101.00. A raise of up to $100.00 is allowed.',
    );
  });

  test('a lowering gives no room back, and always passes', () => {
    const world = openWorld(limits);
    world.past({ pair: perDay(900, 0) });
    world.past({ pair: perDay(0, 500) });
    expect(world.refusal(raise(500, 0))).toBeNull();
    expect(world.refusal(raise(0, 1))).toContain('Earlier ones have used it up');
  });

  test('the window moves on from the approval', () => {
    const world = openWorld(limits);
    world.past({ agoMs: 25 * hours, movedAgoMs: 23 * hours, pair: perDay(0, 500) });
    expect(world.refusal(raise(0, 1))).not.toBeNull();
    world.clock.advance(hours);
    expect(world.refusal(raise(0, 1))).toBeNull();
  });

  test('of several campaigns counts what they raise, not the day on which the first one begins', () => {
    const world = openWorld(limits);
    world.past({ pair: groupOf(100).together, targets: [1, 2] });
    expect(world.refusal(raise(0, 400))).toBeNull();
    expect(world.refusal(raise(0, 401))).toContain('A raise of up to $400.00 is allowed.');
  });

  test('after one without a limit no raise passes, nor one of unknown size', () => {
    const world = openWorld(limits);
    expect(world.refusal({ known: 'arguments' })).toContain('Countersign cannot tell');
    world.past({ pair: perDay(5, null) });
    expect(world.refusal(raise(0, 1))).toContain('An earlier one made it unlimited already');
    const hidden = openWorld(limits);
    hidden.past({ pair: perDay(null, null), targets: [1, 2] });
    expect(hidden.refusal(raise(0, 1))).toContain('An earlier one made it unlimited already');
  });
});

describe('agents that may propose at all', () => {
  test('an admitted agent, in its own profile, while nothing is frozen', () => {
    const world = openWorld();
    const asked = guarded({});
    const { guard } = world.settings;
    expect(() => guard.assertAllowed(asked)).not.toThrow();
    world.frozen.is = true;
    expect(() => guard.assertAllowed(asked)).toThrow(
      expect.objectContaining({ code: 'agents_frozen' }) as Error,
    );
    world.frozen.is = false;
    const unknown = expect.objectContaining({ code: 'agent_unknown' }) as Error;
    expect(() => guard.assertAllowed(guarded({}, null))).toThrow(unknown);
    world.living.agent = { ...agent, profileId: 'demo' };
    expect(() => guard.assertAllowed(asked)).toThrow(unknown);
    world.living.agent = null;
    expect(() => guard.assertAllowed(asked)).toThrow(unknown);
  });
});

describe('the guardrails themselves', () => {
  test('survive a restart, and every change of them is in the ledger with its earlier value', async () => {
    const world = openWorld();
    expect(world.settings.get(profile.id)).toEqual(noGuardrails);
    const wanted = { ...noGuardrails, maxCampaigns: 5 };
    expect(setTo(world.settings, profile.id, wanted)).toEqual(wanted);
    setTo(world.settings, profile.id, noGuardrails);
    expect(world.bodies()).toEqual([
      { profile: profile.id, before: noGuardrails, after: wanted },
      { profile: profile.id, before: wanted, after: noGuardrails },
    ]);
    setTo(world.settings, profile.id, wanted);
    const next = await world.again();
    expect(next.settings.get(profile.id)).toEqual(wanted);
    expect(next.refusal({ targets: [1, 2, 3, 4, 5, 6].map((cid) => [cid, nothing]) })).not.toBeNull();
  });

  test.each(['', 'null', '{}', '{"maxBidFactor":"many"}', '{"maxBidFactor":0.5}'])(
    'that cannot be read (%s) let nothing pass until they are saved anew',
    (text) => {
      const world = openWorld();
      world.store.transaction(() => world.store.settings.set(`agents.guardrails.${profile.id}`, text));
      expect(world.refusal({})).toMatch(/^The guardrails of this profile cannot be read/);
      expect(guardrailsSchema.safeParse(world.settings.get(profile.id)).success).toBe(true);
      setTo(world.settings, profile.id, noGuardrails);
      expect(world.refusal({})).toBeNull();
      expect(world.bodies()).toEqual([{ profile: profile.id, before: null, after: noGuardrails }]);
    },
  );

  test('that were edited from others than those in force are refused, and change nothing', () => {
    const world = openWorld();
    const quiet = { ...noGuardrails, quietHours: { fromHour: 22, untilHour: 7 } };
    setTo(world.settings, profile.id, quiet);
    const edit = { base: noGuardrails, guardrails: { ...noGuardrails, maxCampaigns: 5 } };
    const set = (): Guardrails => world.settings.set(profile.id, edit);
    expect(set).toThrow(expect.objectContaining({ code: 'edit_conflict' }) as Error);
    expect(world.settings.get(profile.id)).toEqual(quiet);
    expect(world.bodies()).toHaveLength(1);
  });

  test('are those of one profile: another one keeps its own', () => {
    const world = openWorld({ untouchable: [1042] });
    setTo(world.settings, 'demo', { ...noGuardrails, maxCampaigns: 1, untouchable: [1050] });
    expect(world.refusal({})).toContain('Campaign 1042');
    expect(world.refusal({ targets: [[1050, nothing]] })).toBeNull();
    expect(world.settings.get(profile.id)).toEqual({ ...noGuardrails, untouchable: [1042] });
  });

  test.each<[string, AskedChange, string | null]>([
    ['a bid twice as high', bid(0.04, 0.08), null],
    ['a higher bid than that', bid(0.04, 0.080001), 'One change may raise a bid to 2 times the current one'],
    ['$500 more a day', raise(50, 550), null],
    ['a dollar more than that', raise(50, 551), 'One change may raise the money at risk per day by $500.00'],
    ['20 campaigns', { targets: campaigns(20) }, null],
    ['21 campaigns', { targets: campaigns(21) }, 'One change may touch 20 campaigns at most.'],
    ['a call with an unknown effect', { known: 'arguments', targets: [] }, 'Countersign cannot tell'],
  ])('of a profile that is added let %s pass or not', (_what, asked, refusal) => {
    const world = openWorld();
    world.store.transaction(() => world.settings.protect(profile.id));
    if (refusal === null) expect(world.refusal(asked)).toBeNull();
    else expect(world.refusal(asked)).toContain(refusal);
  });

  test('of a profile that is added are stored and on record, and go with the profile', async () => {
    const world = openWorld();
    world.store.transaction(() => world.settings.protect(profile.id));
    const first = { ...noGuardrails, maxBidFactor: 2, maxRaisePerDayMicros: '500000000', maxCampaigns: 20 };
    expect(JSON.parse(world.store.settings.get(`agents.guardrails.${profile.id}`) ?? '')).toEqual(first);
    expect(world.bodies()).toEqual([{ profile: profile.id, before: noGuardrails, after: first }]);
    expect(world.settings.get('demo')).toEqual(noGuardrails);
    const next = await world.again();
    expect(next.settings.get(profile.id)).toEqual(first);
    next.store.transaction(() => next.settings.forget(profile.id));
    expect(next.store.settings.get(`agents.guardrails.${profile.id}`)).toBeNull();
  });

  test('the tightest ones stand in for those, and they let nothing pass by themselves either', () => {
    const broken = openWorld();
    broken.store.transaction(() => broken.store.settings.set(`agents.guardrails.${profile.id}`, 'x'));
    expect(openWorld(broken.settings.get(profile.id)).refusal({})).toBe(
      'No agent may change anything, at any hour.',
    );
  });

  test('only limit: no setting approves anything', () => {
    // A new key may be added to this list only if a rule enforces it.
    expect(Object.keys(guardrailsSchema.shape).toSorted()).toEqual([
      'maxBidFactor',
      'maxCampaigns',
      'maxRaisePerDayMicros',
      'maxRaiseUntilEndMicros',
      'pace',
      'quietHours',
      'spendPace',
      'untouchable',
    ]);
    const words = JSON.stringify(Object.keys(guardrailsSchema.shape));
    expect(words).not.toMatch(/allow|approve|auto|trust|skip|confirm/i);
    expect(guardrailsSchema.parse({ ...noGuardrails, approveBelowMicros: '1', autoApprove: true })).toEqual(
      noGuardrails,
    );
  });
});

describe('limits of the administrator', () => {
  const fixedTo = (limits: Partial<Guardrails>, own: Partial<Guardrails> = {}): World => {
    const world = openWorld(own);
    world.fixed.limits = { ...noGuardrails, ...limits };
    return world;
  };

  test('hold where the profile has none, and say whose they are', () => {
    const { refusal } = fixedTo({ maxBidFactor: 1.5 });
    expect(refusal(bid(0.04, 0.06))).toBeNull();
    expect(refusal(bid(0.04, 0.08))).toBe(
      'One change may raise a bid to 1.5 times the current one at most. $0.040 → $0.080 is more; up to $0.060 is allowed. The administrator of this computer has set this limit.',
    );
  });

  test('are not loosened by those of the profile, and loosen none of them', () => {
    const looser = fixedTo({ maxBidFactor: 2 }, { maxBidFactor: 1.5 });
    expect(looser.refusal(bid(0.04, 0.07))).not.toContain('administrator');
    expect(looser.refusal(bid(0.04, 0.07))).toContain('1.5 times');
    const tighter = fixedTo({ maxBidFactor: 1.5 }, { maxBidFactor: 100, maxCampaigns: 1 });
    expect(tighter.refusal(bid(0.04, 0.07))).toContain('The administrator');
    expect(tighter.refusal({ targets: campaigns(2) })).toContain('split it into smaller ones.');
  });

  test('hold also for what was approved and is not sent yet', () => {
    const { settings, fixed } = openWorld();
    const asked = { ...guarded({ targets: campaigns(3) }), approvedAtMs: noon };
    expect(() => settings.guard.assertMaySend(asked)).not.toThrow();
    fixed.limits = { ...noGuardrails, maxCampaigns: 2 };
    expect(() => settings.guard.assertMaySend(asked)).toThrow('The administrator');
  });
});
