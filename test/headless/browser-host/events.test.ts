import { afterAll, beforeAll, expect, test } from 'vitest';
import { page } from './page.ts';
import { serveFakeCore, type Served } from './served.ts';
import { eventually } from '#test/setup/eventually.ts';

let served: Served;
beforeAll(async () => {
  served = await serveFakeCore();
});
afterAll(() => served.dispose());

test('events reach the page as one JSON object per line, and the core is notified when the page disconnects', async () => {
  const app = await served.signIn();
  const response = await app.get('/events');
  expect(response.headers.get('content-type')).toContain('application/x-ndjson');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const readUntil = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) text += (await reader?.read())?.value ?? '';
  };
  await readUntil('\n');
  served.core.emit({ kind: 'ledger.changed' });
  served.core.emit({ kind: 'campaigns.changed', cids: [7] });
  await readUntil('[7]}\n');
  expect(text.trim().split('\n')).toEqual([
    '{"kind":"ledger.changed"}',
    '{"kind":"campaigns.changed","cids":[7]}',
  ]);
  await reader?.cancel();
  await eventually(() => expect(served.core.listeners).toBe(0));
});

test('events require the page’s secret', async () => {
  const response = await page(served.appOrigin).get('/events');
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ error: { code: 'not_signed_in' } });
});

test('an open event stream ends with the host', async () => {
  const other = await serveFakeCore();
  const app = await other.signIn();
  const text = (await app.get('/events')).text();
  await other.dispose();
  expect(await text).toBe('\n');
});
