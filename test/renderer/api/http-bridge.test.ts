import { afterEach, expect, test, vi } from 'vitest';
import { createHttpBridge } from '#renderer/api/http-bridge.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A tab that is signed in, whose core gives this answer to everything. */
function bridgeTo(answer: Response) {
  vi.stubGlobal('sessionStorage', { getItem: () => 'secret', removeItem: () => {} });
  vi.stubGlobal('fetch', async () => answer);
  return createHttpBridge();
}

test('an answer that was cut off is no answer, and never passes for an empty one', async () => {
  const asked = bridgeTo(new Response('{"output": {"items": [', { status: 200 })).call('session.get', {});
  await expect(asked).rejects.toMatchObject({ code: 'core_unreachable' });
});

test('a failure whose words were cut off stays a failure', async () => {
  const asked = bridgeTo(new Response('{"error": {', { status: 409 })).call('session.get', {});
  await expect(asked).rejects.toMatchObject({ code: 'internal' });
});
