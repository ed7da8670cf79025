import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProposalWords } from '#core/proposals/operations/operation.ts';
import { namedCampaigns } from '#core/proposals/operations/tool-call/call-arguments.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { openLedger } from '#test/core/ledger/fixture.ts';
import { exampleCampaign } from '#test/fixtures/campaign.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { callOf, campaignNow, createAgentWorld, prepare, type AgentWorld } from './agent-world.ts';
import { createAskedCalls, nowMs, tightGuardrails, type AskedCall, type Shown } from './asked-call.ts';
import { runs } from '#test/setup/property-runs.ts';

const first = 1042;
const untouchable = 1050;

/** The account's campaigns. All have budgets or spend without a limit; some are paused. */
const campaigns = Array.from({ length: 9 }, (_, at): JsonObject => ({
  ...exampleCampaign('push'),
  cid: first + at,
  status: [1, 3, 4][at % 3] ?? 1,
  ...(at % 5 === 4 ? { d_revenue: 0, t_revenue: 0 } : {}),
}));

const [campaign = {}] = campaigns;

/** The arguments of a commit definition that does not mention any others. */
const declared = ['approvalId', 'fingerprint', 'payload', 'idempotencyKey', 'confirmed'];

const dangerous: JsonObject[] = [
  { enable_budget: 0 },
  { d_revenue: 0, t_revenue: 0 },
  { d_revenue: 5_000 },
  { payout: 0.45 },
  { shedule: Array.from({ length: 168 }, () => 1) },
];
const harmless: JsonObject[] = [{ name: 'Renamed' }, { payout: 0.04 }, { d_revenue: 40 }, { status: 3 }];

const updates = fc
  .tuple(fc.constantFrom(...dangerous, ...harmless), fc.constantFrom(...harmless, {}))
  .map(([one, other]): JsonObject => ({ ...campaign, ...other, ...one }));
const statuses = fc
  .record({
    ids: fc.uniqueArray(fc.constantFrom(...campaigns.map(({ cid }) => Number(cid))), { minLength: 1 }),
    status: fc.constantFrom(1, 2, 3, 4),
  })
  .map(({ ids, status }): JsonObject => ({ ids, status }));
const payloads = fc.oneof(updates, statuses);

/** A commit of a prepared change, and the same change through a tool with another name. */
const plainCalls = payloads.chain((payload) =>
  fc.constantFrom<AskedCall>(
    {
      tool: 'svc_commit',
      args: { approvalId: 'a', fingerprint: 'f', payload, idempotencyKey: 'k', confirmed: true },
      prepared: { payload, changes: null, endsAtMs: nowMs + 600_000 },
      undeclared: [],
    },
    { tool: 'svc_save', args: { payload }, prepared: null, undeclared: [] },
    { tool: 'svc_save', args: payload, prepared: null, undeclared: [] },
  ),
);

const names = fc.oneof(
  fc.constantFrom(
    'note',
    'cid',
    'cids',
    'ids',
    'campaignId',
    'Payload',
    'PAYLOAD',
    'payload ',
    'data',
    'changes',
  ),
  fc.constantFrom(
    'status',
    'campaign',
    'confirm',
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'id',
  ),
  fc.string({ maxLength: 12 }),
);
const values = fc.oneof(
  fc.constantFrom<JsonValue>(
    'Routine clean-up: names only',
    first,
    String(first),
    untouchable,
    null,
    true,
    {},
    [],
  ),
  fc.constantFrom<JsonValue>(campaign, { cid: first }, [{ cid: first }, { cid: untouchable }], {
    cids: [first],
  }),
  fc.uniqueArray(fc.integer({ min: first, max: first + 8 })),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue),
);

type Twist = (args: JsonObject) => JsonObject;

/** Adds a member. An existing member stays, because another value for it would be another change. */
const withMember = (args: JsonObject, name: string, value: JsonValue): JsonObject =>
  Object.hasOwn(args, name) ? args : Object.fromEntries([...Object.entries(args), [name, value]]);
const renamed = (args: JsonObject, from: string, to: string): JsonObject =>
  Object.hasOwn(args, to)
    ? args
    : Object.fromEntries(Object.entries(args).map(([name, value]) => [name === from ? to : name, value]));

/** Ways in which an agent can express the same call: with more arguments, with other names, or in another place. */
const twists: fc.Arbitrary<Twist> = fc.oneof(
  fc.tuple(names, values).map(
    ([name, value]): Twist =>
      (args) =>
        withMember(args, name, value),
  ),
  fc.tuple(fc.constantFrom('payload', 'approvalId', 'cid', 'ids', 'status'), names).map(
    ([from, to]): Twist =>
      (args) =>
        renamed(args, from, to),
  ),
  names.map(
    (name): Twist =>
      (args) =>
        withMember({}, name, args),
  ),
  fc
    .tuple(names, fc.constantFrom('cid', 'campaign_id'), fc.constantFrom(first, untouchable))
    .map(([name, id, cid]): Twist => ({ payload = {}, ...rest }) => ({
      ...rest,
      payload: { [id]: cid, [name]: payload },
    })),
  names.map((name): Twist => (args) => {
    const { payload = {}, ...rest } = args;
    return { ...rest, payload: withMember({}, name, payload) };
  }),
  fc.tuple(names, values).map(([name, value]): Twist => (args) => {
    const { payload, ...rest } = args;
    return typeof payload === 'object' && payload !== null && !Array.isArray(payload)
      ? { ...rest, payload: withMember(payload, name, value) }
      : args;
  }),
  fc.integer({ min: 1, max: 40 }).map((count): Twist => (args) => ({
    ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`pad${at}`, 'x'.repeat(at)])),
    ...args,
  })),
);

const severities = { notice: 1, warning: 2, danger: 3 };

function worst({ warnings }: ProposalWords): number {
  return Math.max(0, ...warnings.map(({ severity }) => severities[severity]));
}

/** The figures that the confirmation assesses. `micros` is -1 if the amount is unlimited or unknown. */
function weightOf(words: ProposalWords) {
  const { after } = words.risk.perDay;
  return {
    worst: worst(words),
    isTyped: words.typeToConfirm !== null,
    perDay: after.unlimited ? Infinity : Number(after.micros),
    untilEnd: words.risk.untilEnd.after.unlimited ? Infinity : Number(words.risk.untilEnd.after.micros),
    isAlone: words.comparable === null,
  };
}

/** Returns the parts of the second confirmation that warn less than the first. */
function weakerParts(plain: Shown, twisted: Shown): string[] {
  if ('refused' in twisted) return [];
  if ('refused' in plain) return worst(twisted.words) === 3 && twisted.words.typeToConfirm ? [] : ['refusal'];
  const [before, after] = [weightOf(plain.words), weightOf(twisted.words)];
  const isKnownToStop = after.perDay < before.perDay || after.untilEnd < before.untilEnd;
  return [
    ...(after.worst < before.worst ? ['severity'] : []),
    ...(before.isTyped && !after.isTyped ? ['typed value'] : []),
    ...(isKnownToStop ? ['money'] : []),
    ...(before.isAlone && !after.isAlone ? ['grouping'] : []),
    ...Object.keys(plain.guardrails).filter(
      (rule) => plain.guardrails[rule] !== null && twisted.guardrails[rule] === null,
    ),
  ];
}

/**
 * Returns unfounded claims of a confirmation: that all effects of the call are known, or a text to type although none is
 * required.
 */
function unfounded(shown: Shown, args: JsonObject): string[] {
  if ('refused' in shown) return [];
  const { detail, typeToConfirm } = shown.words;
  const payload = args['payload'] as JsonObject | undefined;
  const fields = Object.keys(payload ?? {})
    .toSorted()
    .join();
  const isPlain =
    Object.keys(args).every((name) => declared.includes(name)) &&
    [Object.keys(campaign), ['ids', 'status']].some((names) => names.toSorted().join() === fields);
  const isTypeable = typeToConfirm === null || /^[\x21-\x7e]{1,64}$/.test(typeToConfirm.value);
  return [
    ...(detail.kind === 'tool' && detail.effect === 'stated' && !isPlain ? ['effect'] : []),
    ...(isTypeable ? [] : ['typed value']),
  ];
}

const undeclaredOf = (args: JsonObject): string[] =>
  Object.keys(args).filter((name) => !declared.includes(name));

const display = () =>
  createAskedCalls(
    campaigns,
    tightGuardrails(untouchable),
    () => openLedger(tempFolder(), randomBytes(32)).store,
  );

test('adding, reordering, renaming or padding arguments never makes a call look safer or escape a limit', async () => {
  const show = display();
  await fc.assert(
    fc.asyncProperty(plainCalls, fc.array(twists, { minLength: 1, maxLength: 3 }), async (call, ways) => {
      const plain = await show(call);
      const args = ways.reduce((so, twist) => twist(so), call.args);
      const prepared = args['approvalId'] === 'a' ? call.prepared : null;
      const undeclared = call.tool === 'svc_commit' ? undeclaredOf(args) : [];
      const twisted = await show({ ...call, args, prepared, undeclared });
      expect(weakerParts(plain, twisted)).toEqual([]);
      expect(unfounded(twisted, args)).toEqual([]);
    }),
    runs(120),
  );
});

test.each<[string, JsonObject]>([
  ['a new name', { ...campaign, name: 'Renamed' }],
  ['a bid 10% higher', { ...campaign, payout: 0.0495 }],
  ['a daily budget 20 % higher', { ...campaign, d_revenue: 60 }],
  ['one more country', { ...campaign, geo: ['DE', 'FR', 'IT', 'ES'] }],
  ['an end five days later', { ...campaign, expire: '2027-01-05' }],
  [
    'a new path of the click URL',
    { ...campaign, clickurl: String(campaign['clickurl']).replace('/c', '/d') },
  ],
  [
    'a few more hours',
    { ...campaign, shedule: [...Array<number>(90).fill(1), ...Array<number>(78).fill(0)] },
  ],
  ['new keywords', { ...campaign, title: 'Winter offers', description: 'A week only' }],
  ['a pause', { ...campaign, status: 3 }],
  ['a pause of several campaigns', { ids: [first, first + 3, first + 6], status: 3 }],
  ['budgets that are switched on', { ...campaign, cid: first, enable_budget: 1, d_revenue: 45 }],
])('an everyday prepared change shows no danger and no value to type: %s', async (_what, payload) => {
  const shown = await display()({
    tool: 'svc_commit',
    args: { approvalId: 'a', fingerprint: 'f', payload, idempotencyKey: 'k', confirmed: true },
    prepared: { payload, changes: null, endsAtMs: nowMs + 600_000 },
    undeclared: [],
  });
  if ('refused' in shown) throw shown.refused;
  expect(shown.words.typeToConfirm).toBeNull();
  expect(worst(shown.words)).toBeLessThan(severities.warning);
  expect(shown.words.detail).toMatchObject({ effect: 'stated' });
});

describe('additional arguments next to the payload of a commit', () => {
  /** Prepares a commit that removes every limit from a campaign with a daily budget of $50. */
  async function prepareUnlimited(world: AgentWorld) {
    const { data } = await world.connection.member.list({ page: 1, perPage: 50, sort: 'cid', order: 'asc' });
    const cid = data.find(({ status, daily_budget: budget }) => status === 1 && budget > 0)?.cid ?? 0;
    const asked = { cid, changes: { enable_budget: 0 } };
    return { cid, ...(await prepare(world, 'svc_prepare_campaign_update', asked)) };
  }

  const paddings: JsonObject[] = [
    { note: 'Routine clean-up: names only' },
    { cid: 999_999 },
    { ids: [999_998, 999_999] },
    { options: { dryRun: true } },
  ];
  test('do not hide the change, the danger or the value to type', async () => {
    const world = await createAgentWorld();
    for (const padding of paddings) await expectInView(world, padding);
  });

  async function expectInView(world: AgentWorld, padding: JsonObject): Promise<void> {
    const { cid, args, prepared } = await prepareUnlimited(world);
    const more = { prepared, undeclared: Object.keys(padding) };
    const proposal = await world.gate.agents.propose(callOf('svc_commit', { ...args, ...padding }, more));
    expect(proposal).toMatchObject({
      detail: { known: 'update', effect: 'assumed' },
      typeToConfirm: { value: String(cid) },
      risk: { perDay: { after: { unlimited: true } } },
    });
    expect(proposal.changes.map(({ field }) => field)).toContain('enable_budget');
    const dangers = proposal.warnings.filter(({ severity }) => severity === 'danger').map(({ code }) => code);
    expect(dangers).toEqual(['tool_argument_undeclared', 'exposure_unlimited']);
    expect(proposal.warnings[0]?.text).toContain(`“${Object.keys(padding)[0]}”`);
    // The embedded service refuses arguments that its schema does not name. A service that accepts them is read back.
    expect(await world.approve(proposal.id)).toMatchObject({ state: 'refused' });
    expect(await campaignNow(world, cid)).toMatchObject({ enable_budget: 1 });
  }

  test('do not make a change of 33 campaigns pass a limit of one campaign', async () => {
    const many = Array.from({ length: 33 }, (_, at): JsonObject => ({
      ...campaign,
      cid: first + at,
      status: 1,
    }));
    const limits = { maxCampaigns: { maxCampaigns: 1 } };
    const show = createAskedCalls(many, limits, () => openLedger(tempFolder(), randomBytes(32)).store);
    const ids = many.map(({ cid }) => Number(cid));
    const commit = (payload: JsonObject, beside: JsonObject = {}): AskedCall => ({
      tool: 'svc_commit',
      args: { approvalId: 'a', fingerprint: 'f', payload, idempotencyKey: 'k', ...beside },
      prepared: { payload, changes: null, endsAtMs: nowMs + 600_000 },
      undeclared: Object.keys(beside),
    });
    for (const asked of [
      commit({ ids, status: 2 }),
      commit({ ids, status: 2 }, { cid: first }),
      commit({ ids, status: 2, cid: first }),
      commit({ cid: first, ids: ids.map(String), status: 2 }),
      { tool: 'svc_suspend', args: { ids, cid: first, status: 2 }, prepared: null, undeclared: [] },
      { tool: 'svc_suspend', args: { cid: first }, prepared: null, undeclared: [] },
    ]) {
      expect(await show(asked)).toMatchObject({
        guardrails: {
          maxCampaigns: expect.stringMatching(/^One change may touch 1 campaign at most\./) as string,
        },
      });
    }
    expect(await show(commit({ ids: [first], status: 2 }))).toMatchObject({
      guardrails: { maxCampaigns: null },
    });
    // The text to type is the number of campaigns.
    expect(await show(commit({ ids, status: 2, cid: first }))).toMatchObject({
      words: { typeToConfirm: { label: 'Type 33 to confirm', value: '33' } },
    });
  });
});

test.each<[string, JsonObject, JsonObject]>([
  [
    'a complete payload inside the payload of another campaign',
    { cid: untouchable, campaign: { ...campaign, name: 'Renamed' } },
    {},
  ],
  [
    'a complete payload inside that payload under other names',
    { campaign_id: untouchable, changes: { ...campaign, name: 'Renamed' } },
    {},
  ],
  ['a change of status inside a payload', { cid: untouchable, change: { ids: [first], status: 3 } }, {}],
  [
    'the id of another campaign that the definition declares next to the payload',
    { ...campaign, name: 'Renamed' },
    { cid: untouchable },
  ],
  [
    'a list of campaigns that the definition declares next to the payload',
    { ids: [first], status: 3 },
    { campaigns: [{ id: untouchable }] },
  ],
])('%s is a danger with a value to type, and every limit refuses it', async (_what, payload, beside) => {
  const shown = await display()({
    tool: 'svc_commit',
    args: { approvalId: 'a', fingerprint: 'f', payload, idempotencyKey: 'k', ...beside },
    prepared: { payload, changes: null, endsAtMs: nowMs + 600_000 },
    undeclared: [],
  });
  if ('refused' in shown) throw shown.refused;
  expect(worst(shown.words)).toBe(severities.danger);
  expect(shown.words.typeToConfirm).not.toBeNull();
  expect(shown.words.comparable).toBeNull();
  expect(Object.values(shown.guardrails)).not.toContain(null);
});

test('a complete campaign inside a payload is described as what the payload looks like', async () => {
  const payload = { cid: first, campaign: { ...campaign, name: 'Renamed' } };
  const shown = await display()({
    tool: 'svc_commit',
    args: { approvalId: 'a', fingerprint: 'f', payload, idempotencyKey: 'k' },
    prepared: { payload, changes: null, endsAtMs: nowMs + 600_000 },
    undeclared: [],
  });
  expect(shown).toMatchObject({ words: { detail: { known: 'update', effect: 'assumed' } } });
});

test.each<[string, JsonObject, number[]]>([
  ['lists of numbers', { ids: [1, 2, 2] }, [1, 2]],
  ['lists of texts', { cids: ['1', ' 2 '], campaign_id: '3' }, [1, 2, 3]],
  ['a single text', { campaignIds: '1, 2;3' }, [1, 2, 3]],
  ['lists of objects', { campaigns: [{ id: 1 }, { cid: 2, status: 1 }, { campaignId: '3' }] }, [1, 2, 3]],
  ['an object whose keys are ids', { campaigns: { 1: { status: 3 }, 2: {} } }, [1, 2]],
  ['other spellings of the names', { 'Campaign-IDs': [1], CID: 2, campaign: 3 }, [1, 2, 3]],
  ['any nesting', { a: { b: { c: [{ d: { e: { cids: [1, [2]] } } }] } } }, [1, 2]],
  [
    'no other arguments',
    { id: 1, count: 2, note: 'cid 3', bidControl: [{ id: 4 }], cid: 'all', ids: [0, -1, 1.5] },
    [],
  ],
])('campaigns are counted in %s', (_what, args, cids) => {
  expect([...namedCampaigns(args)]).toEqual(cids);
});

test('a call that names more campaigns than it shows states their number in its headline', async () => {
  const payload = { ...campaign, name: 'Renamed' };
  const shown = async (beside: JsonObject, undeclared: string[]) => {
    const found = await display()({
      tool: 'svc_commit',
      args: { approvalId: 'a', fingerprint: 'f', payload, idempotencyKey: 'k', ...beside },
      prepared: { payload, changes: null, endsAtMs: nowMs + 600_000 },
      undeclared,
    });
    if ('refused' in found) throw found.refused;
    return found.words.risk.headline;
  };
  const others = Array.from({ length: 40 }, (_entry, index) => untouchable + index);
  const named = { label: 'Campaigns named in the call', before: '1', after: '41' };
  expect(await shown({ campaignIds: others }, [])).toEqual(named);
  expect(await shown({ campaignIds: others }, ['campaignIds'])).toEqual(named);
  expect(await shown({ note: 'x', more: 'y' }, ['note', 'more'])).toEqual({
    label: 'Arguments that the tool’s definition does not name',
    after: '2',
  });
  expect(await shown({}, [])).toMatchObject({ label: 'Name' });
});
