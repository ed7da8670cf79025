import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Decision, DecisionResult, Display } from '#shared/host-api/index.ts';
import { createHttpConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import { exampleProposal, exampleReview, exampleDisplay } from '#test/fixtures/proposal.ts';
import { eventually } from '#test/setup/eventually.ts';

const displays: Record<string, Display> = {
  a: exampleDisplay({}, 'a'),
  b: exampleDisplay({ id: 'proposal-b' }, 'b'),
  again: exampleDisplay({ id: 'proposal-a2' }, 'again'),
};

interface Asked {
  path: string;
  secret: string | undefined;
}

const sessionOf = ({ displayId, nonce }: Display, secret: string) => ({ displayId, nonce, secret });

/** A window with its storage, and a host whose answers to `/session` and `/confirmation/decide` the test sends. */
function openWindow() {
  const stored = new Map<string, string>();
  const location = { hash: '#ticket=a', pathname: '/', search: '' };
  const asked: Asked[] = [];
  const ended = new Set<string | undefined>();
  const held = new Map<string, (body: unknown) => void>();

  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', { replaceState: () => void (location.hash = '') });
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const { ticket, displayId } = JSON.parse(String(init.body)) as { ticket?: string; displayId?: string };
    const headers = init.headers as Record<string, string>;
    asked.push({ path, secret: headers['x-countersign-secret'] });
    if (path === '/confirmation/look')
      return Response.json({ output: ended.has(displayId) ? null : displays[displayId ?? ''] });
    const body = await new Promise((resolve) => held.set(`${path} ${ticket ?? displayId}`, resolve));
    return Response.json(body);
  });

  const until = async (key: string): Promise<(body: unknown) => void> => {
    await eventually(() => expect(held.has(key)).toBe(true));
    return held.get(key) ?? (() => {});
  };
  return {
    asked,
    ended,
    bridge: createHttpConfirmBridge(),
    reuse: (ticket: string) => void (location.hash = `#ticket=${ticket}`),
    async admit(ticket: string) {
      (await until(`/session ${ticket}`))({ secret: `secret of ${ticket}`, display: displays[ticket] });
    },
    /** Reports that the undo of the written change is ready. */
    async undone(displayId: string, display: Display) {
      const session = sessionOf(display, `secret of ${display.displayId}`);
      (await until(`/confirmation/undo ${displayId}`))({ output: display, session });
    },
    async step(displayId: string, display: Display | null) {
      const stepped = { display, review: exampleReview() };
      const session = sessionOf(display ?? displays[displayId] ?? a, `secret after ${displayId}`);
      (await until(`/confirmation/step ${displayId}`))({ output: stepped, session });
    },
    /** Reports that the decision has ended; `forUndo` is the undo that is opened next. */
    async rest(displayId: string, again: Display | null, forUndo: string | null = null) {
      const result: DecisionResult = { proposal: exampleProposal({ state: 'verified' }), again };
      const secret = again === null ? forUndo : `secret of ${again.displayId}`;
      const session = secret && sessionOf(again ?? displays[displayId] ?? a, secret);
      (await until(`/confirmation/decide ${displayId}`))({ output: result, session });
    },
  };
}

const approve = ({ displayId, nonce, fingerprint }: Display): Decision => ({
  displayId,
  nonce,
  fingerprint,
  decision: 'approve',
  reason: null,
  typed: null,
});

const [a, b, again] = [displays['a'], displays['b'], displays['again']] as [Display, Display, Display];

let scene: ReturnType<typeof openWindow>;
beforeEach(() => {
  scene = openWindow();
});
afterEach(() => vi.unstubAllGlobals());

async function open(ticket: string): Promise<Display> {
  scene.reuse(ticket);
  const opening = scene.bridge.open({});
  await scene.admit(ticket);
  return opening;
}

describe('a window that is reused for a second change while the first is being sent', () => {
  test.each([
    ['rests', null],
    ['asks again', again],
  ])('keeps the secret of the second change when the first %s', async (_how, next) => {
    await open('a');
    const deciding = scene.bridge.decide(approve(a));
    await open('b');
    await scene.rest('a', next);
    expect((await deciding).again).toEqual(next);
    expect((await scene.bridge.look(b)).displayId).toBe('b');
    expect(scene.asked.at(-1)?.secret).toBe('secret of b');
  });

  test('never sends the secret of the second change with a request about the first', async () => {
    await open('a');
    await open('b');
    const before = scene.asked.length;
    await expect(scene.bridge.look(a)).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(scene.asked).toHaveLength(before);
  });

  test('belongs to the latest ticket, whichever answer arrives last', async () => {
    const first = scene.bridge.open({});
    await open('b');
    await scene.admit('a');
    await expect(first).rejects.toMatchObject({ code: 'display_unknown' });
    expect((await scene.bridge.look(b)).displayId).toBe('b');
  });
});

test('a change that has to be confirmed again uses its new secret', async () => {
  await open('a');
  const deciding = scene.bridge.decide(approve(a));
  await scene.rest('a', again);
  await deciding;
  await scene.bridge.look(again);
  expect(scene.asked.at(-1)?.secret).toBe('secret of again');
});

test('skipping a change switches to the secret of the next change, and the last change keeps its own', async () => {
  await open('a');
  const stepping = scene.bridge.step({ ...a, to: 'next' });
  await scene.step('a', again);
  expect((await stepping).display).toEqual(again);
  await scene.bridge.look(again);
  expect(scene.asked.at(-1)?.secret).toBe('secret after a');
  const ending = scene.bridge.step({ ...again, to: 'next' });
  await scene.step(again.displayId, null);
  expect((await ending).display).toBeNull();
  void scene.bridge.step({ ...again, to: 'next' });
  expect(scene.asked.at(-1)?.secret).toBe(`secret after ${again.displayId}`);
});

test('a settled change leaves no secret behind', async () => {
  await open('a');
  const deciding = scene.bridge.decide(approve(a));
  await scene.rest('a', null);
  await deciding;
  await expect(scene.bridge.open({})).rejects.toMatchObject({ code: 'not_signed_in' });
});

test('the undo of a sent change uses its own secret', async () => {
  await open('a');
  const deciding = scene.bridge.decide(approve(a));
  await scene.rest('a', null, 'secret for the undo');
  await deciding;
  await scene.bridge.look(a);
  expect(scene.asked.at(-1)?.secret).toBe('secret for the undo');
  const undoing = scene.bridge.undo(a);
  await scene.undone('a', again);
  expect(await undoing).toEqual(again);
  expect(scene.asked.at(-1)).toEqual({ path: '/confirmation/undo', secret: 'secret for the undo' });
  await scene.bridge.look(again);
  expect(scene.asked.at(-1)?.secret).toBe('secret of again');
});

test('a change that was not sent cannot be undone', async () => {
  await open('a');
  const deciding = scene.bridge.decide(approve(a));
  await scene.rest('a', null);
  await deciding;
  await expect(scene.bridge.undo(a)).rejects.toMatchObject({ code: 'not_signed_in' });
});

test('a display that has ended is reported as unknown, as in every host', async () => {
  await open('a');
  scene.ended.add('a');
  await expect(scene.bridge.look(a)).rejects.toMatchObject({ code: 'display_unknown' });
});
