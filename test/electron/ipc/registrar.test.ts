import { expect, test } from 'vitest';
import { z } from 'zod';
import { createRegistrar, type RawIpc, type SenderEvent } from '#electron/ipc/registrar.ts';
import { request } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { HostAnswer } from '#shared/host-api/index.ts';

const origin = 'countersign://app';
const channel = 'countersign://app app';
const mainFrame = { origin, parent: null };
const contents = { mainFrame };
const fromThePage: SenderEvent = { senderFrame: mainFrame, sender: contents };

/** A surface with a single request behind the registrar. Counts the requests that pass the registrar. */
function channelOver(
  run: (input: { id: number }) => unknown,
  webContents: () => object | null = () => contents,
) {
  const handlers = new Map<string, (event: SenderEvent, ...args: unknown[]) => Promise<HostAnswer>>();
  const raw: RawIpc = {
    handle(channel, listener) {
      if (handlers.has(channel)) throw new Error('Attempted to register a second handler');
      handlers.set(channel, listener);
    },
    removeHandler: (channel) => void handlers.delete(channel),
  };
  const logged: Record<string, unknown>[] = [];
  const log = { info: () => {}, warn: (facts: Record<string, unknown>) => void logged.push(facts) };
  const ipc = createRegistrar(raw, log);
  let through = 0;
  const served = {
    surface: 'app' as const,
    from: { webContents, origin },
    requests: { thing: request(z.object({ id: z.int() }), z.unknown()) },
    answer(_name: 'thing', input: unknown) {
      through += 1;
      return run(input as { id: number });
    },
  };
  const stop = ipc.handle(served);
  return {
    logged,
    through: () => through,
    again: () => ipc.handle(served),
    stop,
    has: () => handlers.has(channel),
    call: async (event: SenderEvent, ...args: unknown[]) => handlers.get(channel)!(event, ...args),
    ask: async (event: SenderEvent, input: unknown) => handlers.get(channel)!(event, 'thing', input),
  };
}

const code = (answer: HostAnswer): string | null => ('error' in answer ? answer.error.code : null);

test('a request from the main frame of the right window is answered', async () => {
  const { ask } = channelOver(({ id }) => ({ id: id + 1 }));
  expect(await ask(fromThePage, { id: 1 })).toEqual({ output: { id: 2 } });
});

const stranger = { origin, parent: null };
const guest = { origin, parent: mainFrame };

/** Senders, each with the reason of its refusal. */
const strangers: [string, SenderEvent, string][] = [
  ['a closed frame', { senderFrame: null, sender: contents }, 'no frame'],
  [
    'a sub-frame of the same origin',
    { senderFrame: { origin, parent: mainFrame }, sender: contents },
    'sub-frame',
  ],
  ['a root that is not the main frame', { senderFrame: stranger, sender: contents }, 'sub-frame'],
  [
    'the main frame of a guest inside a page',
    { senderFrame: guest, sender: { mainFrame: guest } },
    'sub-frame',
  ],
  ['another window', { senderFrame: stranger, sender: { mainFrame: stranger } }, 'window'],
  ...['null', '', 'countersign://confirm', 'countersign://app.evil', 'https://app', 'file://'].map(broughtTo),
];

/** The right window with its main frame on another page. */
function broughtTo(other: string): [string, SenderEvent, string] {
  const frame = { origin: other, parent: null };
  return [`the origin “${other}”`, { senderFrame: frame, sender: { mainFrame: frame } }, 'origin'];
}

test.each(strangers)('%s is refused before its request name is checked', async (_who, event, wrong) => {
  const { call, through, logged } = channelOver(
    () => 'done',
    () => (wrong === 'window' ? contents : event.sender),
  );
  for (const name of ['thing', 'toString'])
    expect(code(await call(event, name, { id: 1 }))).toBe('sender_refused');
  expect(through()).toBe(0);
  const refusal = { channel, request: null, code: 'sender_refused', wrong };
  expect(logged).toEqual([refusal, refusal]);
});

test('no sender is accepted while there is no window', async () => {
  const { ask, through } = channelOver(
    () => 'done',
    () => null,
  );
  expect(code(await ask(fromThePage, { id: 1 }))).toBe('sender_refused');
  expect(through()).toBe(0);
});

test('an invalid input is refused with the names of its fields', async () => {
  const { ask, through } = channelOver(() => 'done');
  const answer = await ask(fromThePage, { id: 'one' });
  expect(answer).toMatchObject({ error: { code: 'bad_input', fields: [{ field: 'id', code: 'invalid' }] } });
  expect(through()).toBe(0);
});

test.each([[[]], [['thing']], [['thing', { id: 1 }, { id: 2 }]]])(
  'a call with %j as its arguments is refused',
  async (args) => {
    const { call, through } = channelOver(() => 'done');
    expect(code(await call(fromThePage, ...args))).toBe('bad_input');
    expect(through()).toBe(0);
  },
);

test.each(['other', '', 'toString', '__proto__', 'constructor', 7, null, undefined, ['thing'], { thing: 1 }])(
  'a request named %j is refused and not logged',
  async (name) => {
    const { call, through, logged } = channelOver(() => 'done');
    expect(code(await call(fromThePage, name, { id: 1 }))).toBe('not_found');
    expect(through()).toBe(0);
    expect(logged).toEqual([]);
  },
);

test('members that the schema does not have are removed', async () => {
  const { ask } = channelOver((input) => input);
  expect(await ask(fromThePage, { id: 1, admin: true })).toEqual({ output: { id: 1 } });
});

test('an expected failure reaches the page completely and is not logged', async () => {
  const { ask, logged } = channelOver(() =>
    Promise.reject(new AppError('campaign_locked', { data: { cid: 7 } })),
  );
  expect(await ask(fromThePage, { id: 1 })).toMatchObject({
    error: { code: 'campaign_locked', data: { cid: 7 } },
  });
  expect(logged).toEqual([]);
});

test('a bug reaches the page as `internal` without details, which are logged', async () => {
  const { ask, logged } = channelOver(() => {
    throw new Error('the secret detail');
  });
  const answer = await ask(fromThePage, { id: 1 });
  expect(code(answer)).toBe('internal');
  expect(JSON.stringify(answer)).not.toContain('secret detail');
  expect(logged[0]).toMatchObject({ channel, request: 'thing' });
  expect(logged[0]?.['stack']).toContain('the secret detail');
});

test('a surface is registered once and can be removed', () => {
  const { again, stop, has } = channelOver(() => 'done');
  expect(again).toThrow(/second handler/);
  stop();
  expect(has()).toBe(false);
});
