import { describe, expect, test } from 'vitest';
import { readArguments } from '#core/mcp-server/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { openTaskWorld } from './task-world.ts';
import type { TaskWorld } from './task-world.ts';

const begin = '2026-11-20T08:00:00Z';
const daily = { type: 'daily', time: '09:00', timezone: 'Europe/Berlin' };
const tool = 'svc_prepare_task';

const mine = (world: TaskWorld) => world.rows('buyer', 1)[0]?.cid ?? 0;
const foreign = (world: TaskWorld) => world.rows('neighbour')[0]?.cid ?? 0;
const pause = (world: TaskWorld, more: JsonObject = {}): JsonObject => ({
  kind: 'campaign_status',
  schedule: daily,
  parameters: { cids: [mine(world)], status: 'paused' },
  ...more,
});

describe('a prepared task', () => {
  test('shows its next three due times and creates nothing', async () => {
    const world = await openTaskWorld({ at: '2027-03-26T12:00:00Z' });
    const who = world.principal();
    const prepared = await world.prepare(who, tool, pause(world, { name: 'Weekends off' }));
    expect(prepared.diff).toContainEqual({
      field: 'dueTimes',
      from: null,
      to: ['2027-03-27T08:00:00.000Z', '2027-03-28T07:00:00.000Z', '2027-03-29T07:00:00.000Z'],
    });
    expect(prepared.warnings.join(' ')).toContain('nothing is changed yet');
    expect(await world.list(who)).toEqual([]);
  });

  test('is created by its commit and shown as defined', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    const definition = pause(world, {
      name: 'Off',
      schedule: { ...daily, type: 'weekly', days: ['sun', 'fri'] },
    });
    const committed = await world.commit(who, await world.prepare(who, tool, definition));
    expect(committed).toMatchObject({ status: 'completed', verification: { task: { state: 'active' } } });
    expect(await world.only(who)).toMatchObject({
      ...definition,
      schedule: { ...daily, type: 'weekly', days: ['fri', 'sun'] },
      state: 'active',
      nextDueAt: '2026-11-22T08:00:00.000Z',
      lastRun: null,
    });
  });

  test('that sets campaigns to Active warns that they will spend', async () => {
    const world = await openTaskWorld({ at: begin });
    const pending = world.rows('buyer', 0)[0]?.cid ?? 0;
    const parameters = { cids: [pending], status: 'active' };
    const { warnings } = await world.prepare(world.principal(), tool, pause(world, { parameters }));
    expect(warnings.join(' ')).toMatch(/spend money.*Not approved/);
  });

  test('whose only due time passes before its commit is not created', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    const schedule = { type: 'once', at: '2026-11-20T08:05:00Z' };
    const prepared = await world.prepare(who, tool, pause(world, { schedule }));
    world.clock.advance(5 * 60_000);
    expect((await world.refusal(world.commit(who, prepared))).code).toBe('state_moved');
    expect(await world.list(who)).toEqual([]);
  });

  test('beyond the twentieth is refused until a task is cancelled', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = world.principal();
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await world.addTask(who, pause(world)));
    expect((await world.refusal(world.prepare(who, tool, pause(world)))).code).toBe('operation_refused');
    await world.cancel(who, ids[0] ?? '');
    expect(await world.addTask(who, pause(world))).not.toBe('');
  });

  const schedules: [string, JsonObject][] = [
    ['an unknown zone', { ...daily, timezone: 'Europe/Atlantis' }],
    ['an offset in the place of a zone', { ...daily, timezone: '+02:00' }],
    ['a time that has passed', { type: 'once', at: '2026-11-20T07:59:59Z' }],
    ['a time beyond a year', { type: 'once', at: '2028-01-01T00:00:00Z' }],
    ['a time without an offset', { type: 'once', at: '2026-11-21T08:00:00' }],
    ['a day that does not exist', { type: 'once', at: '2027-02-29T08:00:00Z' }],
    ['an hour that does not exist', { ...daily, time: '24:00' }],
    ['a week without days', { ...daily, type: 'weekly', days: [] }],
    ['a kind of schedule that does not exist', { type: 'cron', expression: '* * * * *' }],
    ['something besides', { ...daily, command: 'rm' }],
  ];
  const definitions: [string, (world: TaskWorld) => JsonObject, string][] = [
    ...schedules.map(([name, schedule]): [string, (world: TaskWorld) => JsonObject, string] => [
      name,
      (world) => pause(world, { schedule }),
      'arguments_invalid',
    ]),
    ['an unknown kind', (world) => pause(world, { kind: 'http_request' }), 'arguments_invalid'],
    ['parameters of another kind', (world) => pause(world, { kind: 'campaign_bid' }), 'arguments_invalid'],
    [
      'Pending',
      (world) => pause(world, { parameters: { cids: [mine(world)], status: 'pending' } }),
      'arguments_invalid',
    ],
    [
      'a hundred and one campaigns',
      (world) =>
        pause(world, {
          parameters: { cids: Array.from({ length: 101 }, (_, at) => at + 1), status: 'paused' },
        }),
      'arguments_invalid',
    ],
    ['a name that is too long', (world) => pause(world, { name: 'x'.repeat(101) }), 'arguments_invalid'],
    [
      'a foreign campaign',
      (world) => pause(world, { parameters: { cids: [mine(world), foreign(world)], status: 'paused' } }),
      'campaign_not_found',
    ],
    [
      'a bid above the bounds',
      (world) => pause(world, { kind: 'campaign_bid', parameters: { cid: mine(world), payout: 9_999 } }),
      'validation_failed',
    ],
    [
      'a traffic source of another user',
      (world) =>
        pause(world, {
          kind: 'report_export',
          parameters: {
            report: 'xml',
            tid: world.reports.sources(world.uid('publisher')).tids[0] ?? 0,
            lastDays: 7,
            format: 'csv',
          },
        }),
      'source_forbidden',
    ],
  ];
  test.each(definitions)('with %s is refused', async (_name, definition, code) => {
    const world = await openTaskWorld({ at: begin, days: 0 });
    const prepareTool = world.operations.tools.find(({ name }) => name === tool);
    if (prepareTool === undefined) throw new Error('There is no such tool');
    const prepare = async () =>
      world.prepare(
        world.principal(),
        tool,
        readArguments(prepareTool.input, definition(world)) as JsonObject,
      );
    const refusal = await world.refusal(prepare());
    expect(refusal.code).toBe(code);
    expect([refusal.message, ...refusal.fields.map(({ message }) => message)].join(' ')).not.toMatch(
      /Invalid|pattern|\^/,
    );
    expect(await world.list(world.principal())).toEqual([]);
  });

  test('needs a grant with refresh tokens and the modules that it uses', async () => {
    const world = await openTaskWorld({ at: begin });
    const scopes = ['svc:read', 'svc:write'];
    const without = world.prepare(world.principal({ scopes }), tool, pause(world));
    expect((await world.refusal(without)).code).toBe('scope_missing');
    const publisher = world.principal({ part: 'publisher' });
    expect((await world.refusal(world.prepare(publisher, tool, pause(world)))).code).toBe('module_denied');
    const neighbour = world.principal({ part: 'neighbour' });
    expect((await world.refusal(world.prepare(neighbour, tool, pause(world)))).code).toBe('module_denied');
  });

  test('names another member’s campaign like a missing campaign', async () => {
    const world = await openTaskWorld({ at: begin });
    const refusalOf = async (cid: number) => {
      const parameters = { cids: [cid], status: 'paused' };
      const refusal = await world.refusal(
        world.prepare(world.principal(), tool, pause(world, { parameters })),
      );
      return JSON.stringify(refusal).replaceAll(String(cid), 'CID');
    };
    expect(await refusalOf(foreign(world))).toBe(await refusalOf(987_654));
  });
});
