import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Decision, DecisionResult, Showing } from '#shared/host-api/index.ts';
import { createHttpConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import { exampleProposal, exampleReview, exampleShowing } from '#test/fixtures/proposal.ts';
import { eventually } from '#test/setup/eventually.ts';

const showings: Record<string, Showing> = {
  a: exampleShowing({}, 'a'),
  b: exampleShowing({ id: 'proposal-b' }, 'b'),
  again: exampleShowing({ id: 'proposal-a2' }, 'again'),
};

interface Asked {
  path: string;
  secret: string | undefined;
}

const sessionOf = ({ showingId, nonce }: Showing, secret: string) => ({ showingId, nonce, secret });

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
    const { ticket, showingId } = JSON.parse(String(init.body)) as { ticket?: string; showingId?: string };
    const headers = init.headers as Record<string, string>;
    asked.push({ path, secret: headers['x-countersign-secret'] });
    if (path === '/confirmation/look')
      return Response.json({ output: ended.has(showingId) ? null : showings[showingId ?? ''] });
    const body = await new Promise((resolve) => held.set(`${path} ${ticket ?? showingId}`, resolve));
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
      (await until(`/session ${ticket}`))({ secret: `secret of ${ticket}`, showing: showings[ticket] });
    },
    /** Reports that the undo of the written change is ready. */
    async undone(showingId: string, showing: Showing) {
      const session = sessionOf(showing, `secret of ${showing.showingId}`);
      (await until(`/confirmation/undo ${showingId}`))({ output: showing, session });
    },
    async turn(showingId: string, showing: Showing | null) {
      const turned = { showing, review: exampleReview() };
      const session = sessionOf(showing ?? showings[showingId] ?? a, `secret after ${showingId}`);
      (await until(`/confirmation/turn ${showingId}`))({ output: turned, session });
    },
    /** Reports that the decision has ended; `forUndo` is the undo that is opened next. */
    async rest(showingId: string, again: Showing | null, forUndo: string | null = null) {
      const result: DecisionResult = { proposal: exampleProposal({ state: 'verified' }), again };
      const secret = again === null ? forUndo : `secret of ${again.showingId}`;
      const session = secret && sessionOf(again ?? showings[showingId] ?? a, secret);
      (await until(`/confirmation/decide ${showingId}`))({ output: result, session });
    },
  };
}

const approve = ({ showingId, nonce, fingerprint }: Showing): Decision => ({
  showingId,
  nonce,
  fingerprint,
  decision: 'approve',
  reason: null,
  typed: null,
});

const [a, b, again] = [showings['a'], showings['b'], showings['again']] as [Showing, Showing, Showing];

let scene: ReturnType<typeof openWindow>;
beforeEach(() => {
  scene = openWindow();
});
afterEach(() => vi.unstubAllGlobals());

async function open(ticket: string): Promise<Showing> {
  scene.reuse(ticket);
  const opening = scene.bridge.open({});
  await scene.admit(ticket);
  return opening;
}

describe('a window that is used for another change while the first is being sent', () => {
  test.each([
    ['rests', null],
    ['asks again', again],
  ])('keeps the secret of the other when the first %s', async (_how, next) => {
    await open('a');
    const deciding = scene.bridge.decide(approve(a));
    await open('b');
    await scene.rest('a', next);
    expect((await deciding).again).toEqual(next);
    expect((await scene.bridge.look(b)).showingId).toBe('b');
    expect(scene.asked.at(-1)?.secret).toBe('secret of b');
  });

  test('never asks about the first with the secret of the other', async () => {
    await open('a');
    await open('b');
    const before = scene.asked.length;
    await expect(scene.bridge.look(a)).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(scene.asked).toHaveLength(before);
  });

  test('belongs to the ticket that came last, whichever answer does', async () => {
    const first = scene.bridge.open({});
    await open('b');
    await scene.admit('a');
    await expect(first).rejects.toMatchObject({ code: 'showing_unknown' });
    expect((await scene.bridge.look(b)).showingId).toBe('b');
  });
});

test('a change that asks again goes on with its new secret', async () => {
  await open('a');
  const deciding = scene.bridge.decide(approve(a));
  await scene.rest('a', again);
  await deciding;
  await scene.bridge.look(again);
  expect(scene.asked.at(-1)?.secret).toBe('secret of again');
});

test('a change that is left goes on with the secret of the next one, and with its own at the end', async () => {
  await open('a');
  const turning = scene.bridge.turn({ ...a, to: 'next' });
  await scene.turn('a', again);
  expect((await turning).showing).toEqual(again);
  await scene.bridge.look(again);
  expect(scene.asked.at(-1)?.secret).toBe('secret after a');
  const ending = scene.bridge.turn({ ...again, to: 'next' });
  await scene.turn(again.showingId, null);
  expect((await ending).showing).toBeNull();
  void scene.bridge.turn({ ...again, to: 'next' });
  expect(scene.asked.at(-1)?.secret).toBe(`secret after ${again.showingId}`);
});

test('a change that rests leaves no secret behind', async () => {
  await open('a');
  const deciding = scene.bridge.decide(approve(a));
  await scene.rest('a', null);
  await deciding;
  await expect(scene.bridge.open({})).rejects.toMatchObject({ code: 'not_signed_in' });
});

test('the undo of a written change goes on with a secret of its own', async () => {
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

test('a change that was not written has no undo here', async () => {
  await open('a');
  const deciding = scene.bridge.decide(approve(a));
  await scene.rest('a', null);
  await deciding;
  await expect(scene.bridge.undo(a)).rejects.toMatchObject({ code: 'not_signed_in' });
});

test('a showing that ends while its page asks about it is unknown, as in every host', async () => {
  await open('a');
  scene.ended.add('a');
  await expect(scene.bridge.look(a)).rejects.toMatchObject({ code: 'showing_unknown' });
});
