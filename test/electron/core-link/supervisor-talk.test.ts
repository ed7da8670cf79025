import { expect, test } from 'vitest';
import { AppError, encodeError } from '#shared/errors/index.ts';
import type { CoreMessage } from '#shared/host-api/index.ts';
import { createReadyStage, createStage, ready, start } from './scripted-core.ts';

const unreachable = { name: 'AppError', code: 'core_unreachable' };

test('an answer reaches its caller in any order of answers', async () => {
  const { supervisor, core } = createReadyStage();
  const first = supervisor.ask('app', 'session.status', {});
  const second = supervisor.ask('confirmation', 'look', { displayId: 's' });
  expect(core().heard.slice(1)).toEqual([
    { kind: 'ask', id: 1, surface: 'app', name: 'session.status', input: {} },
    { kind: 'ask', id: 2, surface: 'confirmation', name: 'look', input: { displayId: 's' } },
  ]);
  core().says({ kind: 'answer', id: 2, output: 'two' });
  core().says({ kind: 'answer', id: 1, output: 'one' });
  expect(await Promise.all([first, second])).toEqual(['one', 'two']);
});

test('a refusal arrives as the core’s own failure', async () => {
  const { supervisor, core } = createReadyStage();
  const asked = supervisor.ask('app', 'campaigns.get', { cid: 7 });
  const error = new AppError('campaign_not_found', { message: 'No campaign 7.', data: { cid: 7 } });
  core().says({ kind: 'refusal', id: 1, error: encodeError(error) });
  await expect(asked).rejects.toEqual(error);
});

test('a missing input is sent as null', () => {
  const { supervisor, core } = createReadyStage();
  void supervisor.ask('app', 'session.status', undefined);
  expect(core().heard.at(-1)).toMatchObject({ input: null });
});

test('requests wait for the first start and are sent in order', async () => {
  const { supervisor, core } = createStage();
  const early = supervisor.ask('app', 'a', 1);
  supervisor.preload();
  supervisor.begin(start);
  const late = supervisor.ask('app', 'b', 2);
  expect(core().heard.map(({ kind }) => kind)).toEqual(['start']);
  core().says(ready);
  expect(core().heard.slice(1)).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  core().says({ kind: 'answer', id: 1, output: 'first' });
  core().says({ kind: 'answer', id: 2, output: 'second' });
  expect(await Promise.all([early, late])).toEqual(['first', 'second']);
});

test('a listener of the state can send a request immediately', () => {
  const { supervisor, core } = createStage();
  supervisor.onState(() => void supervisor.ask('app', 'session.status', {}));
  supervisor.begin(start);
  core().says(ready);
  expect(core().heard.at(-1)).toMatchObject({ kind: 'ask', name: 'session.status' });
});

test('unanswered requests are refused when the core ends, and a late answer is dropped', async () => {
  const { supervisor, core, cores, clock } = createReadyStage();
  const asked = supervisor.ask('app', 'proposals.list', {});
  core().exits(null);
  await expect(asked).rejects.toMatchObject(unreachable);
  clock.advance(300);
  core().says(ready);
  const again = supervisor.ask('app', 'proposals.list', {});
  cores[0]?.says({ kind: 'answer', id: 2, output: 'of the dead' });
  cores[0]?.exits(1);
  expect(supervisor.state()).toEqual({ kind: 'ready' });
  core().says({ kind: 'answer', id: 1, output: 'of the dead' });
  core().says({ kind: 'answer', id: 2, output: 'of the living' });
  expect(await again).toBe('of the living');
});

test('waiting requests are refused when the first start fails', async () => {
  const { supervisor, core } = createStage();
  supervisor.begin(start);
  const waiting = supervisor.ask('app', 'proposals.list', {});
  core().says({ kind: 'failed', error: encodeError(new AppError('schema_newer')) });
  await expect(waiting).rejects.toMatchObject(unreachable);
});

test('waiting requests are refused when the first process crashes', async () => {
  const { supervisor, core } = createStage();
  supervisor.begin(start);
  const waiting = supervisor.ask('app', 'proposals.list', {});
  core().exits(1);
  await expect(waiting).rejects.toMatchObject(unreachable);
});

test('requests are refused immediately while the core restarts or has stopped', async () => {
  const { supervisor, core, clock } = createReadyStage();
  core().exits(1);
  await expect(supervisor.ask('app', 'a', {})).rejects.toMatchObject(unreachable);
  clock.advance(300);
  await expect(supervisor.ask('app', 'a', {})).rejects.toMatchObject(unreachable);
  core().says({ kind: 'failed', error: encodeError(new AppError('data_folder_locked')) });
  await expect(supervisor.ask('app', 'a', {})).rejects.toMatchObject(unreachable);
  expect(core().heard.map(({ kind }) => kind)).toEqual(['start']);
});

test('requests wait again after the user started a stopped core', async () => {
  const { supervisor, core } = createStage();
  supervisor.begin(start);
  core().says({ kind: 'failed', error: encodeError(new AppError('data_folder_locked')) });
  supervisor.retry();
  const clearing = supervisor.ask('app', 'a', {});
  core().exits(1);
  core().says(ready);
  core().says({ kind: 'answer', id: 1, output: 'answered' });
  expect(await clearing).toBe('answered');
});

test('events and displays are passed on', () => {
  const { supervisor, core } = createReadyStage();
  const heard: unknown[] = [];
  supervisor.onEvent((event) => heard.push(event));
  supervisor.onHide((displayId) => heard.push(displayId));
  const event = { kind: 'campaigns.changed', cids: [1042] } as const;
  core().babbles({ kind: 'event', event });
  core().says({ kind: 'hide', displayId: 's1' });
  expect(heard).toEqual([event, 's1']);
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'ready'],
  ['an unknown kind', { kind: 'decide', id: 1 }],
  ['an answer without a number', { kind: 'answer', id: 'one', output: 1 }],
  ['a display without a proposal', { kind: 'show', display: { displayId: 's' } }],
  ['a failure with an unknown code', { kind: 'failed', error: { code: 'sorry' } }],
])('%s is dropped with a warning that quotes nothing of it', (_, message) => {
  const { supervisor, core, warnings, reported } = createReadyStage();
  supervisor.onShow(() => expect.unreachable());
  core().babbles(message);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('dropped');
  expect(warnings[0]).not.toMatch(/sorry|one/);
  expect(reported.map(({ kind }) => kind)).toEqual(['ready']);
});

test('an answer without its request changes nothing', () => {
  const { core, warnings } = createReadyStage();
  const stray: CoreMessage = { kind: 'answer', id: 99, output: null };
  core().says(stray);
  expect(warnings).toEqual([]);
});

test('an emergency stop before the core is ready is reported, is sent first, and only once', async () => {
  const { supervisor, core, reported } = createStage();
  supervisor.preload();
  void supervisor.ask('app', 'session.get', {});
  const stops = [1, 2].map(() => supervisor.ask('app', 'emergencyStop.start', {}));
  void supervisor.ask('app', 'campaigns.page', {});
  expect(supervisor.state()).toEqual({ kind: 'starting', stopPending: true });
  expect(reported.at(-1)).toEqual({ kind: 'starting', stopPending: true });
  supervisor.begin(start);
  core().says(ready);
  expect(core().heard.slice(1)).toMatchObject([
    { name: 'emergencyStop.start' },
    { name: 'session.get' },
    { name: 'campaigns.page' },
  ]);
  expect([supervisor.state(), reported.at(-1)]).toEqual([{ kind: 'ready' }, { kind: 'ready' }]);
  core().says({ kind: 'answer', id: 1, output: 'stopped' });
  expect(await Promise.all(stops)).toEqual(['stopped', 'stopped']);
});

test('an emergency stop survives a core that ends before it is ready; other requests do not', async () => {
  const { supervisor, core, clock } = createStage();
  supervisor.preload();
  supervisor.begin(start);
  const read = supervisor.ask('app', 'session.get', {});
  const stop = supervisor.ask('app', 'emergencyStop.start', {});
  core().exits(1);
  await expect(read).rejects.toMatchObject(unreachable);
  expect(supervisor.state()).toMatchObject({ kind: 'restarting', stopPending: true });
  clock.advance(300);
  core().says(ready);
  expect(core().heard.at(-1)).toMatchObject({ name: 'emergencyStop.start' });
  core().says({ kind: 'answer', id: 1, output: 'stopped' });
  expect(await stop).toBe('stopped');
});

test('an emergency stop is refused if the core cannot start', async () => {
  const { supervisor, core } = createStage();
  supervisor.preload();
  supervisor.begin(start);
  const stop = supervisor.ask('app', 'emergencyStop.start', {});
  core().says({ kind: 'failed', error: encodeError(new AppError('data_folder_unusable')) });
  await expect(stop).rejects.toMatchObject(unreachable);
  expect(supervisor.state()).toMatchObject({ kind: 'stopped' });
});
