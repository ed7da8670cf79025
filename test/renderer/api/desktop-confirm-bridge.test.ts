import { expect, test } from 'vitest';
import { createDesktopConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import type { ConfirmRequest, HostAnswer, ConfirmPreload } from '#shared/host-api/index.ts';
import { exampleProposal, exampleDisplay } from '#test/fixtures/proposal.ts';

const display = exampleDisplay();
const { displayId, nonce, fingerprint } = display;

/** A preload script that gives this answer to every request, and records the requests. */
function preloadThatAnswers(answer: () => Promise<HostAnswer>) {
  const asked: [ConfirmRequest, unknown][] = [];
  const stopped: string[] = [];
  const host: ConfirmPreload = {
    ask(name, input) {
      asked.push([name, input]);
      return answer();
    },
    onReopened: () => () => void stopped.push('reopened'),
    onWaiting(listener) {
      listener(2);
      return () => void stopped.push('waiting');
    },
  };
  return { bridge: createDesktopConfirmBridge(host), asked, stopped };
}

test('the page gets the active display', async () => {
  const { bridge } = preloadThatAnswers(async () => ({ output: display }));
  expect(await bridge.open({})).toEqual(display);
});

test('a request reaches the host under its name', async () => {
  const { bridge, asked } = preloadThatAnswers(async () => ({ output: display }));
  expect(await bridge.look({ displayId, nonce })).toEqual(display);
  await bridge.seen({ displayId, nonce });
  expect(asked).toEqual([
    ['look', { displayId, nonce }],
    ['seen', { displayId, nonce }],
  ]);
});

test('a decision comes back with its result', async () => {
  const result = { proposal: exampleProposal({ state: 'verified' }), again: null };
  const { bridge, asked } = preloadThatAnswers(async () => ({ output: result }));
  const decision = { displayId, nonce, fingerprint, decision: 'approve', reason: null, typed: null } as const;
  expect(await bridge.decide(decision)).toEqual(result);
  expect(asked).toEqual([['decide', decision]]);
});

test('a picture is requested by its address, and an answer of any other type or shape is refused', async () => {
  const picture = { type: 'image/webp', width: 3, height: 2, base64: 'AAAA' };
  const url = 'https://pictures.example/a.webp';
  const { bridge, asked } = preloadThatAnswers(async () => ({ output: picture }));
  expect(await bridge.picture({ displayId, nonce, url })).toEqual(picture);
  expect(asked).toEqual([['picture', { displayId, nonce, url }]]);
  for (const wrong of [{ type: 'image/svg+xml' }, { base64: '"><script>' }, { width: 0 }]) {
    const { bridge: other } = preloadThatAnswers(async () => ({ output: { ...picture, ...wrong } }));
    await expect(other.picture({ displayId, nonce, url })).rejects.toThrow();
  }
});

test('a request that the host refuses fails with the code, the words and the data of the refusal', async () => {
  const refusal = new AppError('proposal_expired', { message: 'It expired.', data: { cid: 1042 } });
  const { bridge } = preloadThatAnswers(async () => ({ error: encodeError(refusal) }));
  await expect(bridge.open({})).rejects.toMatchObject({
    code: 'proposal_expired',
    message: 'It expired.',
    data: { cid: 1042 },
  });
});

test('a host that does not answer is unreachable', async () => {
  const { bridge } = preloadThatAnswers(async () => Promise.reject(new Error('the frame was disposed')));
  await expect(bridge.look(display)).rejects.toMatchObject({ code: 'core_unreachable' });
  await expect(bridge.close({})).rejects.toMatchObject({ code: 'core_unreachable' });
});

test('an answer with the wrong shape is refused and never shown as a display', async () => {
  const { bridge } = preloadThatAnswers(async () => ({ output: { ...display, proposal: { id: 'p' } } }));
  await expect(bridge.open({})).rejects.toThrow();
});

test('the page receives new displays and the number of waiting proposals until it unsubscribes', () => {
  const { bridge, stopped } = preloadThatAnswers(async () => ({ output: null }));
  const counts: number[] = [];
  const stops = [bridge.onReopened(() => {}), bridge.onWaiting((count) => counts.push(count))];
  stops.forEach((stop) => stop());
  expect(counts).toEqual([2]);
  expect(stopped).toEqual(['reopened', 'waiting']);
});
