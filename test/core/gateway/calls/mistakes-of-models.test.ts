import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { openWithAgent, proposals, textOf } from '../admission/admitted-agent.ts';

type Args = Record<string, unknown>;
type Opened = Awaited<ReturnType<typeof openWithAgent>>;

type Mistake = [
  mistake: string,
  call: (opened: Opened) => Promise<[string, Args]>,
  says: string[],
  /** Corrects the arguments by what the words of the refusal say. */
  correct: (args: Args, words: string, opened: Opened) => Args | Promise<Args>,
];

/** Returns what a refusal names. Fails if it does not. */
function named(words: string, pattern: RegExp): string {
  const found = pattern.exec(words)?.[1];
  if (found === undefined) throw new Error(`It does not name ${pattern}: ${words}`);
  return found;
}

const changed =
  (change: (words: string, changes: Args) => Args) =>
  (args: Args, words: string): Args => ({ ...args, changes: change(words, args['changes'] as Args) });

const nearestField = changed((words, changes) => ({
  [named(words, /Perhaps (\w+) \(/)]: Object.values(changes)[0],
}));

/** The texts of a refusal that a model may read. Programs pass on its text, its structured error, or both. */
function wordsOf(result: CallToolResult): string[] {
  const { error } = (result.structuredContent ?? {}) as { error?: { message: string; next: string } };
  // The text of the service's own refusals is their data as JSON.
  return [
    textOf(result).replaceAll('\\"', '"'),
    ...(error === undefined ? [] : [`${error.message} ${error.next}`]),
  ];
}

const update =
  (changes: Args) =>
  async (opened: Opened): Promise<[string, Args]> => [
    'svc_prepare_campaign_update',
    { cid: opened.cid, changes },
  ];
const commit =
  (change: Args) =>
  async (opened: Opened): Promise<[string, Args]> => [
    'svc_commit',
    { ...(await opened.agent.prepare(opened.cid, 'key-1')), ...change },
  ];

/** Each refusal has to name the field, the rule, the given value and a valid value. */
const mistakes: Mistake[] = [
  ['a field by its label', update({ bid: 0.05 }), ['“bid”', 'Perhaps payout (Bid)'], nearestField],
  [
    'a field of the list',
    update({ daily_budget: 50 }),
    ['“daily_budget”', 'd_revenue (Daily budget)'],
    nearestField,
  ],
  [
    'a number as a text',
    update({ payout: '0.05' }),
    ['“payout”', 'must be a number', 'Given: “0.05”'],
    changed(() => ({ payout: 0.05 })),
  ],
  [
    'a bid in cents',
    update({ payout: 58 }),
    ['“payout”', 'between $', 'Given: 58.', 'not in cents'],
    changed(() => ({ payout: 0.58 })),
  ],
  [
    'a bid below the minimum',
    update({ payout: 0.0001 }),
    ['“payout”', 'between $', 'Given: 0.0001.'],
    changed((words) => ({ payout: Number(named(words, /between \$([\d.]+\d)/)) })),
  ],
  [
    'a date of another form',
    update({
      enable_time: 1,
      create: '2027-01-01',
      create_time: '00:00',
      expire: '31/12/2027',
      expire_time: '23:59',
    }),
    ['“expire”', 'like 2026-12-31', 'Given: “31/12/2027”'],
    changed((_words, changes) => ({ ...changes, expire: '2027-12-31' })),
  ],
  [
    'a country by its name',
    update({ geo_enabled: 0, geo: ['Germany'] }),
    ['“geo”', 'DE for “Germany”'],
    changed((words, changes) => ({ ...changes, geo: [named(words, /(\w\w) for “Germany”/)] })),
  ],
  [
    'a campaign that is not there',
    async () => ['svc_prepare_campaign_update', { cid: 999_999, changes: { payout: 1 } }],
    ['Campaign 999999 does not exist', 'Look the campaign id up'],
    (args, _words, { cid }) => ({ ...args, cid, changes: { payout: 0.05 } }),
  ],
  [
    'a misspelt argument',
    async () => ['svc_list_campaigns', { ofset: 20 }],
    ['“ofset”', 'Perhaps offset is meant'],
    (_args, words) => ({ [named(words, /Perhaps (\w+) is meant/)]: 20 }),
  ],
  [
    'an unknown status',
    async (opened) => ['svc_prepare_campaign_status', { ids: [opened.cid], status: 'stopped' }],
    ['“status”', '"paused"', 'Given: “stopped”'],
    (args, words) => ({ ...args, status: named(words, /"(paused)"/) }),
  ],
  [
    'a commit without its key',
    commit({ idempotencyKey: undefined }),
    ['“idempotencyKey” is missing', 'Give a text', 'Unique for this commit'],
    (args) => ({ ...args, idempotencyKey: randomUUID() }),
  ],
  [
    'a key with a space',
    commit({ idempotencyKey: 'key 1' }),
    ['“idempotencyKey”', '1 to 200 visible characters', 'Given: “"key 1"”'],
    (args) => ({ ...args, idempotencyKey: randomUUID() }),
  ],
  [
    'another payload',
    commit({ payload: { cid: 1 } }),
    ['not the one that was prepared', 'Commit the payload unchanged'],
    ({ payload: _other, ...args }) => ({ ...args, idempotencyKey: randomUUID() }),
  ],
  [
    'an approval that was made up',
    commit({ approvalId: 'made-up' }),
    ['did not see this approval', 'Prepare the change again'],
    (_args, _words, { agent, cid }) => agent.prepare(cid, randomUUID()),
  ],
];

/** Makes a call that has to pass. A commit passes if a person is asked, and is then taken back. */
async function expectToPass({ agent, world }: Opened, name: string, args: Args): Promise<void> {
  if (name !== 'svc_commit') {
    const result = await agent.call(name, args);
    expect([textOf(result), result.isError ?? false]).toEqual([textOf(result), false]);
    return;
  }
  const waiting = async (): Promise<number> => (await proposals(world, 'waiting')).length;
  expect(await waiting()).toBe(0);
  const leave = new AbortController();
  const answer = agent.call(name, args, leave.signal).catch(() => null);
  await expect.poll(waiting).toBe(1);
  leave.abort();
  await answer;
  await expect.poll(waiting).toBe(0);
}

test('each refusal of a mistaken call contains enough to correct the call', async () => {
  const opened = await openWithAgent();
  for (const [mistake, call, says, correct] of mistakes) {
    const [name, args] = await call(opened);
    const result = await opened.agent.call(name, args);
    expect([mistake, result.isError]).toEqual([mistake, true]);
    let corrected: Args = {};
    for (const words of wordsOf(result)) {
      const missing = says.filter((part) => !words.includes(part));
      expect([mistake, words, missing]).toEqual([mistake, words, []]);
      expect(words).not.toMatch(/reload|refresh/i);
      corrected = await correct(args, words, opened);
    }
    await expectToPass(opened, name, corrected);
  }
});

test('a commit whose approval is about to expire is refused with what to do', async () => {
  const { world, agent, cid } = await openWithAgent();
  const args = await agent.prepare(cid, 'key-1');
  // Five seconds before the end of the approval: the access token ends at the same time.
  world.clock.advance(10 * 60_000 - 5_000);
  const refused = await agent.call('svc_commit', args);
  for (const words of wordsOf(refused)) {
    expect(words).toContain('The approval of the service ends before a person could decide.');
    expect(words).toContain('prepare again, and commit the new approval');
  }
});
