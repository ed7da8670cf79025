import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRefusedAttempts, type FailedWrite, type RefusedAttempts } from '#core/agents/index.ts';
import { rules } from '#core/agents/guardrails/rules.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import type { ProfileView, RefusingRule } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { inputFor, openDesktop, openLive } from '#test/core/connections/live-world.ts';
import { openLedger } from '#test/core/ledger/fixture.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const demo: ProfileView = { id: 'demo', name: 'Northwind', kind: 'demo', account: '1', zone: 'UTC' };
const live: ProfileView = { ...demo, id: 'live-1', name: 'Meridian', kind: 'live' };

interface Opened {
  refused: RefusedAttempts;
  clock: ManualClock;
  profiles: ProfileView[];
  changes(): number;
  again(): Promise<Opened>;
}

function open(folder = tempFolder(), dataKey = randomBytes(32)): Opened {
  const { store, close } = openLedger(folder, dataKey);
  const clock = createManualClock();
  const profiles = [demo, live];
  let changes = 0;
  const refused = createRefusedAttempts({
    store,
    profileOf: (id) => profiles.find((one) => one.id === id) ?? null,
    clock,
    logger,
    onChange: () => void (changes += 1),
  });
  return {
    refused,
    clock,
    profiles,
    changes: () => changes,
    async again() {
      await close();
      return open(folder, dataKey);
    },
  };
}

const limit = new AppError('guardrail', { message: 'At most ×2.', data: { rule: 'maxBidFactor' } });

function write(
  change: Partial<FailedWrite> & { title?: string; profileId?: string; agentId?: string } = {},
): FailedWrite {
  const { title = 'Raise the bid of “A”', profileId = 'demo', agentId = 'agent-1', ...rest } = change;
  return {
    agent: { id: agentId, name: 'Claude Code', profileId },
    asked: { title, cids: [7] },
    failure: limit,
    ...rest,
  };
}

describe('a refused attempt is recorded with the rule that refused it:', () => {
  test.each<[AppError, RefusingRule]>([
    ...Object.keys(rules).map((name): [AppError, RefusingRule] => [
      new AppError('guardrail', { message: 'A limit.', data: { rule: name } }),
      name as RefusingRule,
    ]),
    [new AppError('guardrail', { message: 'They cannot be read.' }), 'unreadable'],
    [new AppError('agents_frozen'), 'frozen'],
    [new AppError('tool_held'), 'toolHeld'],
    [new AppError('scope_missing'), 'readOnly'],
    [new AppError('too_many_waiting'), 'places'],
    [new AppError('attempts_spent'), 'attempts'],
  ])('%s', (failure, rule) => {
    const { refused, changes } = open();
    refused.record(write({ failure }));
    expect(refused.list()).toEqual([
      {
        id: 1,
        profile: demo,
        agentId: 'agent-1',
        agentName: 'Claude Code',
        atMs: expect.any(Number) as number,
        times: 1,
        title: 'Raise the bid of “A”',
        cids: [7],
        campaignCount: 1,
        rule,
        reason: failure.message,
      },
    ]);
    expect(changes()).toBe(1);
  });

  test.each([
    new AppError('arguments_invalid'),
    new AppError('service_unreachable'),
    new AppError('campaign_locked'),
    new AppError('denied_by_person'),
    new Error('a bug'),
  ])('and any other failure is not recorded: %s', (failure) => {
    const { refused, changes } = open();
    refused.record(write({ failure }));
    expect(refused.list()).toEqual([]);
    expect(changes()).toBe(0);
  });
});

test('refused attempts are listed newest first, even after a restart, with the first of many campaigns', async () => {
  const { refused, clock, again } = open();
  refused.record(write({ title: 'first' }));
  clock.advance(1_000);
  const cids = Array.from({ length: 50 }, (_, index) => index + 1);
  refused.record(write({ asked: { title: 'second', cids }, profileId: 'live-1' }));
  const listed = (await again()).refused.list();
  expect(listed.map(({ title, profile }) => [title, profile.id])).toEqual([
    ['second', 'live-1'],
    ['first', 'demo'],
  ]);
  expect(listed[0]).toMatchObject({ cids: cids.slice(0, 20), campaignCount: 50 });
});

test('a repeated refused attempt increases a count until the agent tries something else', () => {
  const { refused, clock } = open();
  for (let time = 0; time < 3; time += 1) {
    clock.advance(1_000);
    refused.record(write());
  }
  refused.record(write({ agentId: 'agent-2' }));
  refused.record(write());
  refused.record(write({ title: 'another' }));
  refused.record(write());
  expect(refused.list().map(({ agentId, title, times }) => [agentId, title, times])).toEqual([
    ['agent-1', 'Raise the bid of “A”', 1],
    ['agent-1', 'another', 1],
    ['agent-2', 'Raise the bid of “A”', 1],
    ['agent-1', 'Raise the bid of “A”', 4],
  ]);
});

test('the newest 200 refused attempts of each profile are kept', () => {
  const { refused, clock } = open();
  refused.record(write({ title: 'of another profile', profileId: 'live-1' }));
  for (let number = 1; number <= 205; number += 1) {
    clock.advance(1);
    refused.record(write({ title: `change ${number}` }));
  }
  const titles = refused.list().map(({ title }) => title);
  expect(titles).toHaveLength(201);
  expect(titles[0]).toBe('change 205');
  expect(titles.at(-2)).toBe('change 6');
  expect(titles.at(-1)).toBe('of another profile');
});

test('refused attempts of a removed profile are not listed, and are deleted with it', () => {
  const { refused, profiles } = open();
  refused.record(write({ profileId: 'live-1' }));
  profiles.pop();
  expect(refused.list()).toEqual([]);
  profiles.push(live);
  expect(refused.list()).toHaveLength(1);
  refused.forget('live-1');
  expect(refused.list()).toEqual([]);
});

test('a new profile has its own limits from the start, Demo has none, and removing a profile deletes its limits', async () => {
  const { core } = await openDesktop();
  const { handlers } = core;
  const { id } = await handlers['profiles.add'](inputFor(await openLive()));
  const first = { maxBidFactor: 2, maxRaisePerDayMicros: '500000000', maxCampaigns: 20, pace: null };
  expect(await handlers['guardrails.get']({ profileId: id })).toMatchObject(first);
  expect(await handlers['guardrails.get']({ profileId: 'demo' })).toMatchObject({
    maxBidFactor: null,
    maxRaisePerDayMicros: null,
    maxCampaigns: null,
  });
  await handlers['profiles.remove']({ id });
  const guardrails = await handlers['guardrails.get']({ profileId: 'demo' });
  const edit = { base: guardrails, guardrails };
  await expect(handlers['guardrails.set']({ profileId: id, ...edit })).rejects.toMatchObject({
    code: 'profile_unknown',
  });
});
