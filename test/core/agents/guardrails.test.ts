import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createLimitClock } from '#core/platform/limit-clock.ts';
import { createGuardrails, type GuardrailSettings } from '#core/agents/index.ts';
import type { AgentGuard } from '#core/proposals/index.ts';
import type { EffectCertainty } from '#shared/wording/index.ts';
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
import { defaultFormats } from '#shared/lib/formats.ts';
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
      defaultFormats,
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
  effect?: EffectCertainty;
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
    formats: () => defaultFormats,
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

describe('the guardrails decide about one change of an agent:', () => {
  const bids = { maxBidFactor: 1.5 };
  const raises = { maxRaisePerDayMicros: '100000000' };
  const kept = { untouchable: [1042] };
  const assumed = 'assumed';

  test.each<[string, Partial<Guardrails>, AskedChange, string | null]>([
    ['any change is allowed without limits', {}, { known: 'arguments', targets: [] }, null],

    ['a bid exactly at its limit is allowed', bids, bid(0.04, 0.06), null],
    [
      'a bid over its limit by the smallest step is refused',
      bids,
      bid(0.04, 0.060001),
      'One change may raise a bid to 1.5 times the current one at most. $0.040 → $0.060001 is more; up to $0.060 is allowed.',
    ],
    ['a lower bid is allowed', { maxBidFactor: 1 }, bid(0.04, 0.001), null],
    [
      'a raise from a bid of zero is refused',
      bids,
      bid(0.0, 0.001),
      'There is no bid to compare $0.001 with.',
    ],
    [
      'a bid that is not an amount is refused',
      bids,
      field('payout', 'x', 0.001),
      'Countersign cannot compare these bids.',
    ],
    [
      'a batch with one bid over the limit is refused',
      bids,
      ofSeveral(bid(1000.0, 1500.001)),
      'up to $1,500.000 is allowed.',
    ],
    ['a change of the type is refused', bids, field('type', 1, 2), 'leave the type as it is'],
    [
      'a change of bid controls is refused',
      bids,
      field('bidControl', [], [{ factor: 2 }]),
      'leave them as they are',
    ],
    ['a new name is allowed', bids, field('name', 'a', 'b'), null],
    ['an unknown field is refused', bids, field('bid_factor', 1, 1000), 'what “Bid factor” does to it'],
    [
      'a batch with one unknown field is refused',
      bids,
      ofSeveral(field('bid_factor', 1, 1000)),
      'what “Bid factor” does to it',
    ],
    [
      'an unknown field whose name ends like a known field is refused',
      bids,
      field('x.name', 1, 2),
      'what “x.name” does to it',
    ],
    [
      'a shorter blocklist named by the service is allowed',
      bids,
      field('ip_blocklist', ['10.0.0.1', '10.0.0.2'], ['10.0.0.1']),
      null,
    ],
    [
      'a filled blocklist named by the service is allowed',
      bids,
      field('ip_blocklist', null, ['10.0.0.1']),
      null,
    ],
    [
      'a number whose name resembles a list is refused',
      bids,
      field('daily_allowance', 10, 1000),
      'what “Daily allowance” does',
    ],
    [
      'a new number whose name resembles a list is refused',
      bids,
      field('blocked_until_spend', null, 1000),
      'what “Blocked until spend” does',
    ],
    [
      'a switch whose name resembles a list is refused',
      bids,
      field('allow_overspend', false, true),
      'what “Allow overspend” does',
    ],
    [
      'bids whose name resembles a list are refused',
      bids,
      field('keyword_bids', { shoes: 0.1 }, { shoes: 10 }),
      'what “Keyword bids” does to it',
    ],
    [
      'a list that contains more than entries is refused',
      bids,
      field('source_blacklist', [{ id: 7, bid: 0.1 }], [{ id: 7, bid: 10 }]),
      'what “Source blacklist” does to it',
    ],
    [
      'a bid over the limit in a known tool call is refused',
      bids,
      { ...bid(0.04, 0.4), known: 'update' },
      'is more',
    ],
    [
      'an unknown tool call is refused under a bid limit',
      bids,
      { known: 'campaign' },
      'Countersign cannot tell',
    ],
    [
      'a tool whose arguments only look like a lower bid is refused',
      bids,
      { ...bid(0.04, 0.001), known: 'update', effect: assumed },
      'Countersign cannot tell',
    ],

    ['a raise exactly at its limit is allowed', raises, raise(50, 150), null],
    [
      'a raise over its limit is refused',
      raises,
      raise(50, 151),
      'One change may raise the money at risk per day by $100.00 at most. This one raises it by $101.00.',
    ],
    ['a lower budget is allowed', raises, raise(500, 1), null],
    ['a change to an unlimited budget is refused', raises, raise(50, null), 'This one makes it unlimited.'],
    ['a budget that was already unlimited is allowed', raises, raise(null, null), null],
    [
      'an unknown field with unchanged budgets is refused',
      raises,
      { ...raise(50, 50), ...field('budget_override', 0, 1) },
      'Countersign cannot tell',
    ],
    [
      'a list named by the service with unchanged budgets is allowed',
      raises,
      { ...raise(50, 50), ...field('domain_whitelist', [], ['example.com']), known: 'update' },
      null,
    ],
    [
      'a raise that a cut of another campaign offsets is refused',
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
      'a raise inside an unlimited sum is refused',
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
    [
      'a campaign that begins now next to a campaign that begins later is allowed within the limit',
      raises,
      groupOf(100),
      null,
    ],
    [
      'a raise over the limit next to a campaign that begins later is refused',
      raises,
      groupOf(101),
      'raises it by $101.00',
    ],
    [
      'a raise that only the sum shows is refused',
      raises,
      { targets: [], together: perDay(0, 101) },
      '$101.00',
    ],
    ['a raise of unknown size is refused', raises, { known: 'arguments' }, 'Countersign cannot tell'],
    [
      'a tool whose arguments only look like a pause is refused',
      raises,
      { ...raise(50, 0), known: 'status', effect: assumed },
      'Countersign cannot tell',
    ],

    [
      'as many campaigns as the limit are allowed',
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
      'one campaign over the limit is refused',
      { maxCampaigns: 1 },
      {
        targets: [
          [1, nothing],
          [2, nothing],
        ],
      },
      'One change may touch 1 campaign at most. This one touches 2; split it into smaller ones.',
    ],
    [
      'a call that names one campaign is refused under a campaign limit',
      { maxCampaigns: 1 },
      { known: 'campaign' },
      'cannot tell',
    ],
    [
      'a call that names no campaign is refused under a campaign limit',
      { maxCampaigns: 1 },
      { known: 'campaign', targets: [] },
      'cannot tell',
    ],
    [
      'a call known only by its arguments is refused under a campaign limit',
      { maxCampaigns: 1 },
      { known: 'arguments' },
      'cannot tell',
    ],

    ['an unprotected campaign is allowed', kept, { targets: [[1043, nothing]] }, null],
    ['a protected campaign is refused', kept, {}, 'Campaign 1042 must not be touched by any agent.'],
    [
      'a protected campaign among others is refused',
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
      'unknown campaigns are refused when a campaign is protected',
      kept,
      { known: 'arguments', targets: [] },
      'cannot tell which ones this call touches',
    ],
    [
      'unknown campaigns of a tool call are refused when a campaign is protected',
      kept,
      { known: 'campaign', targets: [] },
      'cannot tell which ones',
    ],
    [
      'a call that names an unprotected campaign but may change any is refused',
      kept,
      { known: 'campaign', targets: [[1043, nothing]] },
      'cannot tell which ones this call touches. A prepared change to other campaigns',
    ],
    [
      'a call whose effect is only assumed is refused when a campaign is protected',
      kept,
      { known: 'update', targets: [[1043, nothing]], effect: assumed },
      'cannot tell which ones',
    ],
    [
      'a change of status that is only assumed is refused under a campaign limit',
      { maxCampaigns: 1 },
      { known: 'status', targets: [[1043, nothing]], effect: assumed },
      'cannot tell how many this call touches. A prepared change',
    ],
    [
      'a known change with an amount equal to a protected id is allowed',
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
    defaultFormats,
  );
  return { words };
}

describe('a limit of $0 refuses changes that spend earlier, longer, again or without an end:', () => {
  const perDayOnly = { maxRaisePerDayMicros: '0' };
  const untilEndOnly = { maxRaiseUntilEndMicros: '0' };
  const both: Partial<Guardrails>[] = [perDayOnly, untilEndOnly];
  const hoursOn = (on: number): number[] =>
    Array.from({ length: 168 }, (_hour, index) => (index < on ? 1 : 0));

  test.each<[string, JsonObject, JsonObject, Partial<Guardrails>[]]>([
    ['hours raised from 0 to 167 a week', { shedule: hoursOn(0) }, { shedule: hoursOn(167) }, both],
    [
      'a start moved from 2031 to today',
      { create: '2031-01-01', expire: '' },
      { create: '2026-06-10' },
      both,
    ],
    ['a start moved forward by a day', { create: '2026-07-02' }, { create: '2026-07-01' }, both],
    ['a finished flight extended by ten years', { expire: '2026-06-09' }, { expire: '2036-06-10' }, both],
    ['budgets switched off', {}, { enable_budget: 0 }, both],
    ['a higher daily budget', {}, { d_revenue: 51 }, [perDayOnly]],
    ['a removed total budget', { expire: '' }, { t_revenue: 0 }, [untilEndOnly]],
    ['a total budget raised a hundredfold', { expire: '' }, { t_revenue: 205_000 }, [untilEndOnly]],
    [
      'an end moved by a hundred years without a total budget',
      { t_revenue: 0 },
      { expire: '2126-12-31' },
      [untilEndOnly],
    ],
    ['an end moved by a hundred years with a total budget', {}, { expire: '2126-12-31' }, [untilEndOnly]],
    ['a removed end with a total budget', {}, { enable_time: 0 }, [untilEndOnly]],
    ['a later end without budgets', { enable_budget: 0 }, { expire: '2127-01-01' }, [untilEndOnly]],
  ])('%s', (_what, before, change, refusing) => {
    for (const limits of refusing) {
      expect(openWorld(limits).refusal(update(before, change))).toMatch(
        /^One change may raise the money at risk/,
      );
    }
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['a new name', {}, { name: 'Another' }],
    ['fewer hours', {}, { shedule: hoursOn(12) }],
    ['a later start', {}, { create: '2026-08-01' }],
    ['an earlier end', {}, { expire: '2026-12-01' }],
    ['lower budgets', {}, { d_revenue: 10, t_revenue: 100 }],
    ['a pause', {}, { status: 3 }],
    ['a campaign that was already unlimited', { enable_budget: 0 }, { name: 'Another' }],
  ])('and allows a change that raises nothing: %s', (_what, before, change) => {
    expect(openWorld({ ...perDayOnly, ...untilEndOnly }).refusal(update(before, change))).toBeNull();
  });

  test('and the refusal states the period and the raise', () => {
    const asked = update({ expire: '' }, { t_revenue: 2150 });
    expect(openWorld({ maxRaiseUntilEndMicros: '99000000' }).refusal(asked)).toBe(
      'One change may raise the money at risk until the end by $99.00 at most. This one raises it by $100.00.',
    );
    expect(openWorld({ maxRaiseUntilEndMicros: '100000000' }).refusal(asked)).toBeNull();
  });

  test('and a start that moves to today also counts toward the spending pace', () => {
    const world = openWorld({ spendPace: { micros: '0', hours: 1 } });
    const asked = update({ create: '2031-01-01', expire: '' }, { create: '2026-06-10' });
    expect(world.refusal(asked)).toContain('This one raises it by $50.00.');
  });
});

describe('quiet hours follow the local time of the profile:', () => {
  test.each<[string, [number, number], string, boolean]>([
    ['before the night', [22, 6], '2026-06-10T19:59:59Z', false],
    ['first second of the night', [22, 6], '2026-06-10T20:00:00Z', true],
    ['after midnight', [22, 6], '2026-06-10T23:30:00Z', true],
    ['last second of the night', [22, 6], '2026-06-11T03:59:59Z', true],
    ['after the night', [22, 6], '2026-06-11T04:00:00Z', false],
    ['an hour that is outside in winter', [22, 6], '2026-01-10T20:59:59Z', false],
    ['an hour that is inside in winter', [22, 6], '2026-01-10T21:00:00Z', true],
    ['after quiet hours within a day', [9, 17], '2026-06-10T15:00:00Z', false],
    ['inside quiet hours within a day', [9, 17], '2026-06-10T10:00:00Z', true],
    ['before the hour that the clock skips', [2, 3], '2026-03-29T00:59:59Z', false],
    ['the hour that the clock skips in spring', [2, 3], '2026-03-29T01:00:00Z', false],
    ['the hour that occurs twice in autumn', [2, 3], '2026-10-25T00:30:00Z', true],
    ['the hour that occurs twice in autumn, second time', [2, 3], '2026-10-25T01:30:00Z', true],
    ['after the hour that occurs twice', [2, 3], '2026-10-25T02:00:00Z', false],
    ['always, when both hours are equal', [5, 5], '2026-06-10T12:00:00Z', true],
  ])('%s', (_what, [fromHour, untilHour], at, isQuiet) => {
    const world = openWorld({ quietHours: { fromHour, untilHour } });
    world.clock.advance(Date.parse(at) - noon);
    expect(world.refusal({}) !== null).toBe(isQuiet);
  });

  test.each([false, true].flatMap((restarts) => [8, -8, 30, -30].map((hours) => ({ hours, restarts }))))(
    'they end on time if the clock is set by $hours hours, restarts: $restarts',
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

  test('they follow a changed clock after a day', async () => {
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

  test('the refusal states the hours, the time zone and when they end', () => {
    expect(openWorld({ quietHours: { fromHour: 9, untilHour: 17 } }).refusal({})).toBe(
      'No agent may change anything from 09:00 until 17:00 (Europe/Berlin). Try again from 17:00.',
    );
  });
});

describe('the pace limit of one agent', () => {
  test.each([false, true])('is not reset by setting the clock, restarts: %s', async (restarts) => {
    let world = openWorld({ pace: { changes: 1, minutes: 60 } });
    world.past({ agoMs: 1_000 });
    world.clock.setForward(48 * hourMs);
    if (restarts) world = await world.again();
    expect(world.refusal({})).not.toBeNull();
    world.clock.advance(hourMs);
    expect(world.refusal({})).toBeNull();
  });

  const limits = { pace: { changes: 2, minutes: 10 } };

  test('counts the agent’s proposals in its period, and the refusal states how long to wait', () => {
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

  test('does not count other agents, the admission or successors', () => {
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

  test('counts an earlier raise while it may still be sent or was sent, and not after any other end', () => {
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

  test('is refused with the limit, the raise and the room that is left', () => {
    const world = openWorld(limits);
    world.past({ state: 'proposed', pair: perDay(0, 400) });
    expect(world.refusal(raise(0, 101))).toBe(
      'The changes of one agent may raise the money at risk per day by $500.00 in 24 hours at most. ' +
        'This one raises it by $101.00. A raise of up to $100.00 is allowed.',
    );
  });

  test('is not reduced by a cut, and always allows a cut', () => {
    const world = openWorld(limits);
    world.past({ pair: perDay(900, 0) });
    world.past({ pair: perDay(0, 500) });
    expect(world.refusal(raise(500, 0))).toBeNull();
    expect(world.refusal(raise(0, 1))).toContain('Earlier ones have used it up');
  });

  test('counts from the approval of a raise', () => {
    const world = openWorld(limits);
    world.past({ agoMs: 25 * hours, movedAgoMs: 23 * hours, pair: perDay(0, 500) });
    expect(world.refusal(raise(0, 1))).not.toBeNull();
    world.clock.advance(hours);
    expect(world.refusal(raise(0, 1))).toBeNull();
  });

  test('counts what several campaigns raise, not the day on which the first of them begins', () => {
    const world = openWorld(limits);
    world.past({ pair: groupOf(100).together, targets: [1, 2] });
    expect(world.refusal(raise(0, 400))).toBeNull();
    expect(world.refusal(raise(0, 401))).toContain('A raise of up to $400.00 is allowed.');
  });

  test('refuses every raise after an unlimited one, and a raise of unknown size', () => {
    const world = openWorld(limits);
    expect(world.refusal({ known: 'arguments' })).toContain('Countersign cannot tell');
    world.past({ pair: perDay(5, null) });
    expect(world.refusal(raise(0, 1))).toContain('An earlier one made it unlimited already');
    const hidden = openWorld(limits);
    hidden.past({ pair: perDay(null, null), targets: [1, 2] });
    expect(hidden.refusal(raise(0, 1))).toContain('An earlier one made it unlimited already');
  });
});

describe('who may propose:', () => {
  test('an admitted agent in its own profile while agents are not frozen', () => {
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

describe('guardrails', () => {
  test('survive a restart, and every change of them is in the ledger with the earlier value', async () => {
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
    'that cannot be read (%s) refuse everything until they are saved again',
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

  test('are not changed by an edit that started from outdated guardrails', () => {
    const world = openWorld();
    const quiet = { ...noGuardrails, quietHours: { fromHour: 22, untilHour: 7 } };
    setTo(world.settings, profile.id, quiet);
    const edit = { base: noGuardrails, guardrails: { ...noGuardrails, maxCampaigns: 5 } };
    const set = (): Guardrails => world.settings.set(profile.id, edit);
    expect(set).toThrow(expect.objectContaining({ code: 'edit_conflict' }) as Error);
    expect(world.settings.get(profile.id)).toEqual(quiet);
    expect(world.bodies()).toHaveLength(1);
  });

  test('belong to one profile, and another profile has its own', () => {
    const world = openWorld({ untouchable: [1042] });
    setTo(world.settings, 'demo', { ...noGuardrails, maxCampaigns: 1, untouchable: [1050] });
    expect(world.refusal({})).toContain('Campaign 1042');
    expect(world.refusal({ targets: [[1050, nothing]] })).toBeNull();
    expect(world.settings.get(profile.id)).toEqual({ ...noGuardrails, untouchable: [1042] });
  });

  test.each<[string, AskedChange, string | null]>([
    ['a bid twice as high', bid(0.04, 0.08), null],
    [
      'a bid slightly more than twice as high',
      bid(0.04, 0.080001),
      'One change may raise a bid to 2 times the current one',
    ],
    ['$500 more a day', raise(50, 550), null],
    ['slightly more than that', raise(50, 551), 'One change may raise the money at risk per day by $500.00'],
    ['20 campaigns', { targets: campaigns(20) }, null],
    ['21 campaigns', { targets: campaigns(21) }, 'One change may touch 20 campaigns at most.'],
    ['a call with an unknown effect', { known: 'arguments', targets: [] }, 'Countersign cannot tell'],
  ])('of a new profile decide about %s', (_what, asked, refusal) => {
    const world = openWorld();
    world.store.transaction(() => world.settings.protect(profile.id));
    if (refusal === null) expect(world.refusal(asked)).toBeNull();
    else expect(world.refusal(asked)).toContain(refusal);
  });

  test('of a new profile are stored, recorded, and removed with the profile', async () => {
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

  test('that cannot be read are shown as the tightest ones, which refuse everything if saved', () => {
    const broken = openWorld();
    broken.store.transaction(() => broken.store.settings.set(`agents.guardrails.${profile.id}`, 'x'));
    expect(openWorld(broken.settings.get(profile.id)).refusal({})).toBe(
      'No agent may change anything, at any hour.',
    );
  });

  test('only limit: no setting approves a change', () => {
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

  test('apply if the profile has none, and refusals name the administrator', () => {
    const { refusal } = fixedTo({ maxBidFactor: 1.5 });
    expect(refusal(bid(0.04, 0.06))).toBeNull();
    expect(refusal(bid(0.04, 0.08))).toBe(
      'One change may raise a bid to 1.5 times the current one at most. $0.040 → $0.080 is more; up to $0.060 is allowed. The administrator of this computer has set this limit.',
    );
  });

  test('are not loosened by limits of the profile, and do not loosen them', () => {
    const looser = fixedTo({ maxBidFactor: 2 }, { maxBidFactor: 1.5 });
    expect(looser.refusal(bid(0.04, 0.07))).not.toContain('administrator');
    expect(looser.refusal(bid(0.04, 0.07))).toContain('1.5 times');
    const tighter = fixedTo({ maxBidFactor: 1.5 }, { maxBidFactor: 100, maxCampaigns: 1 });
    expect(tighter.refusal(bid(0.04, 0.07))).toContain('The administrator');
    expect(tighter.refusal({ targets: campaigns(2) })).toContain('split it into smaller ones.');
  });

  test('apply to a change that is approved and not sent yet', () => {
    const { settings, fixed } = openWorld();
    const asked = { ...guarded({ targets: campaigns(3) }), approvedAtMs: noon };
    expect(() => settings.guard.assertMaySend(asked)).not.toThrow();
    fixed.limits = { ...noGuardrails, maxCampaigns: 2 };
    expect(() => settings.guard.assertMaySend(asked)).toThrow('The administrator');
  });
});
