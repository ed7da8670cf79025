import { expect, test } from 'vitest';
import type { SampleAgentView } from '#shared/app-api/index.ts';
import { isOver, openAgentWorld } from './world.ts';

/** Returns the steps in words, without the names and the number of campaigns. */
const reported = ({ steps }: SampleAgentView): string[] =>
  steps.map(({ text }) => text.replaceAll(/“.+?”/g, '“…”').replace(/^Read \d+/u, 'Read …'));

const admission = { operation: 'agent.admit' };

test('a sample agent that is not admitted stops requesting access', async () => {
  const { core, asked, until } = await openAgentWorld(() => ({ deny: 'Not today' }));
  await core.handlers['sampleAgent.start']({});
  const view = await until(isOver);
  expect(view.state).toBe('ended');
  expect(view.steps.map(({ text }) => text)).toEqual([
    'Connects to Countersign as “Sample agent”.',
    expect.stringMatching(
      /^Requests access\. Its page shows the words “[a-z]+ [a-z]+”: allow it only if the confirmation shows the same two\.$/,
    ),
    'Access was not granted. It stops.',
  ]);
  expect(asked).toMatchObject([admission]);
});

test('the sample agent gives a reason for each change, learns each outcome, and returns its grant', async () => {
  const { core, asked, until } = await openAgentWorld(({ operation, quotation }) =>
    operation === 'agent.admit' || quotation?.startsWith('This bid is among') === true
      ? 'approve'
      : { deny: 'Too much' },
  );
  await core.handlers['sampleAgent.start']({});
  const view = await until(isOver);
  expect(view.state).toBe('ended');
  expect(reported(view).toSorted()).toEqual(
    [
      'Connects to Countersign as “…”.',
      'Requests access. Its page shows the words “…”: allow it only if the confirmation shows the same two.',
      'You allowed it.',
      'Read … Active campaigns.',
      'Asked to lower the bid of “…” by 10%.',
      'Asked to raise the bid of “…” tenfold.',
      'Asked to pause “…”.',
      'You approved, and it is done: lower the bid of “…” by 10%.',
      'You denied: raise the bid of “…” tenfold. Your reason: “…”',
      'You denied: pause “…”. Your reason: “…”',
      'Finished: asked for 3 changes, you approved 1 and denied 2.',
    ].toSorted(),
  );
  expect(asked.map(({ operation }) => operation)).toEqual([
    'agent.admit',
    'tool.call',
    'tool.call',
    'tool.call',
  ]);
  for (const { quotation, proposedBy } of asked.slice(1)) {
    expect([proposedBy.name, quotation]).toEqual(['Sample agent', expect.stringMatching(/\w+ \w+/)]);
  }
  expect(new Set(asked.map(({ quotation }) => quotation)).size).toBe(4);
  const { agents } = await core.handlers['agents.get']({});
  expect(agents).toMatchObject([
    {
      connected: false,
      ended: { because: 'signed-out' },
      tally: { asked: 3, approved: 1, denied: 2, waiting: 0 },
    },
  ]);
});

test('stopping the sample agent withdraws its waiting proposals', async () => {
  const { core, asked, until } = await openAgentWorld(({ operation }) =>
    operation === 'agent.admit' ? 'approve' : 'leave',
  );
  const { handlers } = core;
  const first = await handlers['sampleAgent.start']({});
  expect((await handlers['sampleAgent.start']({})).steps.length).toBeGreaterThanOrEqual(first.steps.length);
  await expect.poll(() => asked.length).toBe(4);
  await handlers['sampleAgent.stop']({});
  const view = await until(isOver);
  expect([view.state, reported(view).at(-1)]).toEqual([
    'ended',
    'Stopped by you. What still waited is withdrawn.',
  ]);
  const past = await handlers['proposals.list']({ which: 'past', before: null, limit: 10 });
  expect(past.items.map(({ state }) => state).toSorted()).toEqual([
    'verified',
    'withdrawn',
    'withdrawn',
    'withdrawn',
  ]);
});

test('a sample agent whose access is revoked reports that and ends', async () => {
  const { core, asked, until } = await openAgentWorld(({ operation }) =>
    operation === 'agent.admit' ? 'approve' : 'leave',
  );
  const { handlers } = core;
  await handlers['sampleAgent.start']({});
  await expect.poll(() => asked.length).toBe(4);
  const { agents } = await handlers['agents.get']({});
  await handlers['agents.revoke']({ id: agents[0]?.id ?? '' });
  const view = await until(isOver);
  expect([view.state, asked.length]).toEqual(['failed', 4]);
  expect(reported(view).at(-1)).toContain('The connection to Countersign ended.');
});

test('the sample agent works only with Demo and does not start with another active profile', async () => {
  const { core } = await openAgentWorld(() => 'leave', 'desktop');
  const { handlers } = core;
  const origin = 'http://127.0.0.1:9';
  const { id } = await handlers['profiles.add']({
    name: 'Live',
    baseUrl: `${origin}/api/v1`,
    apiUrl: origin,
    mcpUrl: origin,
    zone: 'UTC',
    remoteAccess: 'oauth',
  });
  await handlers['profiles.switch']({ id });
  await expect(handlers['sampleAgent.start']({})).rejects.toMatchObject({ code: 'demo_only' });
  expect(await handlers['sampleAgent.get']({})).toEqual({ state: 'off', steps: [] });
});
