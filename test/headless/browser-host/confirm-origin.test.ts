import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakePicture } from './fake-core.ts';
import { page, readAddress, type PageClient, type Session } from './page.ts';
import { serveFakeCore, type Served } from './served.ts';

let served: Served;
let app: PageClient;
beforeAll(async () => {
  served = await serveFakeCore();
  app = await served.signIn();
});
afterAll(() => served.dispose());

let count = 0;
/** Lets the app review a proposal; returns the address of the confirmation. */
async function review(id = `display-${(count += 1)}`): Promise<{ id: string; ticket: string }> {
  const { body } = await app.post('/api/proposals.review', { id });
  const { origin, ticket } = readAddress((body.output as { address: string }).address);
  expect(origin).toBe(served.confirmOrigin);
  return { id, ticket };
}

/** Returns the session with which the page continues after an answer. */
const sessionOf = ({ session }: { session?: Session | null }): Session => {
  if (!session) throw new Error('The answer brings no session');
  return session;
};

async function openDisplay(id?: string) {
  const shown = await review(id);
  const { body } = await page(served.confirmOrigin).post('/session', { ticket: shown.ticket });
  const { displayId, nonce, fingerprint } = body.display ?? { displayId: '', nonce: '', fingerprint: '' };
  const decision = { displayId, nonce, fingerprint, decision: 'deny', reason: null, typed: null };
  return {
    ...shown,
    secret: body.secret,
    key: { displayId, nonce },
    decision,
    confirm: page(served.confirmOrigin, body.secret),
  };
}

describe('a display of the confirmation', () => {
  test('is opened once by its own ticket and contains the complete proposal', async () => {
    const { ticket, key, id } = await openDisplay();
    expect(key).toEqual({ displayId: id, nonce: `nonce of ${id}` });
    const again = await page(served.confirmOrigin).post('/session', { ticket });
    expect(again).toMatchObject({ status: 401, body: { error: { code: 'not_signed_in' } } });
  });

  test('cannot be opened by a ticket of the app', async () => {
    const { ticket } = readAddress(served.address());
    expect((await page(served.confirmOrigin).post('/session', { ticket })).status).toBe(401);
  });

  test('cannot open the app with its ticket', async () => {
    const { ticket } = await review();
    expect((await page(served.appOrigin).post('/session', { ticket })).status).toBe(401);
  });

  test('can be viewed, marked as seen and decided with its secret', async () => {
    const { confirm, key, decision, id } = await openDisplay();
    expect(await confirm.post('/confirmation/look', key)).toMatchObject({
      status: 200,
      body: { output: { displayId: id } },
    });
    expect(await confirm.post('/confirmation/seen', key)).toEqual({ status: 200, body: { output: null } });
    expect(await confirm.post('/confirmation/decide', decision)).toMatchObject({
      status: 200,
      body: { output: { again: null }, session: null },
    });
    expect(served.core.decisions.at(-1)).toEqual(decision);
  });

  test('loads its own picture with its secret until the decision', async () => {
    const { confirm, key, decision } = await openDisplay();
    const other = await openDisplay();
    const ask = { ...key, url: fakePicture.url };
    expect(await confirm.post('/confirmation/picture', ask)).toEqual({
      status: 200,
      body: { output: fakePicture.loaded },
    });
    expect(
      await confirm.post('/confirmation/picture', { ...key, url: 'https://other.example/' }),
    ).toMatchObject({
      status: 404,
      body: { error: { code: 'picture_unknown' } },
    });
    expect(await other.confirm.post('/confirmation/picture', ask)).toMatchObject({
      status: 409,
      body: { error: { code: 'display_unknown' } },
    });
    expect((await page(served.confirmOrigin).post('/confirmation/picture', ask)).status).toBe(401);
    await confirm.post('/confirmation/decide', decision);
    expect((await confirm.post('/confirmation/picture', ask)).status).toBe(401);
  });

  test('reads pages of its own campaigns with its secret until the decision', async () => {
    const { confirm, key, decision } = await openDisplay();
    const other = await openDisplay();
    const ask = { ...key, from: 0 };
    const path = '/confirmation/targets';
    expect(await confirm.post(path, ask)).toEqual({ status: 200, body: { output: { targets: [] } } });
    expect(await other.confirm.post(path, ask)).toMatchObject({ status: 409 });
    expect((await page(served.confirmOrigin).post(path, ask)).status).toBe(401);
    await confirm.post('/confirmation/decide', decision);
    expect((await confirm.post(path, ask)).status).toBe(401);
  });

  test('ends with the decision, after which its secret is invalid', async () => {
    const { confirm, decision } = await openDisplay();
    await confirm.post('/confirmation/decide', decision);
    expect((await confirm.post('/confirmation/decide', decision)).status).toBe(401);
  });

  test('that ends during a request of its page answers that it has ended', async () => {
    const { confirm, key, decision } = await openDisplay();
    const other = await openDisplay();
    await confirm.post('/confirmation/decide', decision);
    for (const path of ['/confirmation/look', '/confirmation/seen', '/confirmation/progress']) {
      expect(await confirm.post(path, key)).toEqual({ status: 200, body: { output: null } });
      expect((await confirm.post(path, other.key)).status).toBe(409);
    }
  });

  test('is forgotten after many others have ended', async () => {
    const { confirm, key, decision } = await openDisplay();
    await confirm.post('/confirmation/decide', decision);
    for (let count = 0; count < 70; count += 1) {
      const next = await openDisplay();
      await next.confirm.post('/confirmation/decide', next.decision);
    }
    expect((await confirm.post('/confirmation/look', key)).status).toBe(401);
  });

  test('that is proposed again gets a new secret for the new display only', async () => {
    const { confirm, decision } = await openDisplay();
    const { body } = await confirm.post('/confirmation/decide', { ...decision, reason: 'again' });
    const { secret, displayId, nonce } = sessionOf(body);
    expect(body.output).toMatchObject({ again: { displayId, nonce } });
    expect((await confirm.post('/confirmation/look', { displayId, nonce })).status).toBe(409);
    const next = await page(served.confirmOrigin, secret).post('/confirmation/look', { displayId, nonce });
    expect(next).toMatchObject({ status: 200, body: { output: { displayId } } });
  });

  test('that is prepared again gets a new secret for the result only', async () => {
    const { confirm, key } = await openDisplay();
    const { length } = served.core.decisions;
    const { body } = await confirm.post('/confirmation/prepareAgain', key);
    const { secret, displayId, nonce } = sessionOf(body);
    expect(body.output).toMatchObject({ displayId, nonce });
    expect((await confirm.post('/confirmation/look', key)).body).toEqual({ output: null });
    const next = page(served.confirmOrigin, secret);
    expect(await next.post('/confirmation/look', { displayId, nonce })).toMatchObject({
      status: 200,
      body: { output: { displayId } },
    });
    expect(served.core.decisions).toHaveLength(length);
  });

  test('whose change was sent gets a secret for its undo only', async () => {
    const { confirm, key, decision } = await openDisplay();
    expect((await confirm.post('/confirmation/undo', key)).body).toMatchObject({
      error: { code: 'display_unknown' },
    });
    const { body } = await confirm.post('/confirmation/decide', { ...decision, reason: 'undoable' });
    const { secret } = sessionOf(body);
    expect((await confirm.post('/confirmation/undo', key)).status).toBe(401);
    const after = page(served.confirmOrigin, secret);
    for (const what of ['look', 'seen', 'decide']) {
      expect((await after.post(`/confirmation/${what}`, decision)).body, what).toMatchObject({
        error: { code: 'display_unknown' },
      });
    }
    const undone = await after.post('/confirmation/undo', key);
    const { secret: next, displayId, nonce } = sessionOf(undone.body);
    expect(undone.body.output).toMatchObject({ displayId, nonce });
    expect((await after.post('/confirmation/undo', key)).status).toBe(401);
    expect(
      await page(served.confirmOrigin, next).post('/confirmation/look', { displayId, nonce }),
    ).toMatchObject({ status: 200, body: { output: { displayId } } });
  });

  test('that is left for the next one gets a new secret for the next one only', async () => {
    const { confirm, key } = await openDisplay();
    const { length } = served.core.decisions;
    const other = await openDisplay();
    expect((await other.confirm.post('/confirmation/step', { ...key, to: 'next' })).status).toBe(409);
    expect((await confirm.post('/confirmation/step', { ...key, to: 'approve' })).status).toBe(400);
    const { body } = await confirm.post('/confirmation/step', { ...key, to: 'next' });
    const { secret, displayId, nonce } = sessionOf(body);
    expect(body.output).toMatchObject({ display: { displayId, nonce } });
    expect((await confirm.post('/confirmation/look', key)).body).toEqual({ output: null });
    expect(
      await page(served.confirmOrigin, secret).post('/confirmation/look', { displayId, nonce }),
    ).toMatchObject({ status: 200, body: { output: { displayId } } });
    expect(served.core.decisions).toHaveLength(length);
  });

  test('that was decided in a review can only be used to reach the next one', async () => {
    const { confirm, key, decision } = await openDisplay();
    const { body } = await confirm.post('/confirmation/decide', { ...decision, reason: 'review' });
    const { secret } = sessionOf(body);
    expect((await confirm.post('/confirmation/step', { ...key, to: 'next' })).status).toBe(401);
    const decided = page(served.confirmOrigin, secret);
    expect((await decided.post('/confirmation/look', key)).status).toBe(409);
    expect((await decided.post('/confirmation/decide', decision)).status).toBe(409);
    expect((await decided.post('/confirmation/step', { ...key, to: 'next' })).status).toBe(200);
    expect((await decided.post('/confirmation/step', { ...key, to: 'next' })).status).toBe(401);
  });

  test('that was decided during a review gets a new secret for the next one only', async () => {
    const { confirm, key, decision } = await openDisplay();
    const { body } = await confirm.post('/confirmation/decide', {
      ...decision,
      reason: 'review',
      continueReview: true,
    });
    const { secret, displayId, nonce } = sessionOf(body);
    expect(body.output).toMatchObject({ next: { display: { displayId, nonce } } });
    expect((await confirm.post('/confirmation/decide', decision)).status).toBe(401);
    const next = page(served.confirmOrigin, secret);
    for (const what of ['step', 'progress', 'undo', 'decide', 'look']) {
      const asked = await next.post(`/confirmation/${what}`, { ...decision, ...key, to: 'next' });
      expect(asked.status, what).toBe(409);
    }
    expect((await next.post('/confirmation/look', { displayId, nonce })).status).toBe(200);
  });

  test('that was withdrawn during a review shows its end, and can then only be used to reach the next one', async () => {
    const { id, confirm, key, decision } = await openDisplay();
    await app.post('/api/proposals.withdraw', { id });
    const step = { ...key, to: 'next' };
    for (const [what, input] of Object.entries({ decide: decision, step, picture: key }))
      expect((await confirm.post(`/confirmation/${what}`, input)).status, what).toBe(401);
    expect((await confirm.post('/confirmation/look', { ...key, nonce: 'another' })).body).toEqual({
      output: null,
    });
    const { body } = await confirm.post('/confirmation/look', key);
    expect(body.output).toMatchObject({ ...key, proposal: { state: 'withdrawn' } });
    const ended = page(served.confirmOrigin, sessionOf(body).secret);
    const { length } = served.core.decisions;
    expect((await ended.post('/confirmation/decide', decision)).status).toBe(409);
    expect(served.core.decisions).toHaveLength(length);
    expect((await ended.post('/confirmation/step', step)).status).toBe(200);
    expect((await ended.post('/confirmation/step', step)).status).toBe(401);
  });

  test.each(['while it is open', 'before it was opened'])(
    'that expires %s shows its end, and can then only be used to reach the next one',
    async (when) => {
      const isOpen = when === 'while it is open';
      const id = `a display that expires ${when}`;
      if (!isOpen) served.core.expire(id);
      const { confirm, key, decision } = await openDisplay(id);
      if (isOpen) served.core.expire(id);
      const { body } = await confirm.post('/confirmation/look', key);
      expect(body.output).toMatchObject({ ...key, proposal: { state: 'expired' } });
      const ended = isOpen ? page(served.confirmOrigin, sessionOf(body).secret) : confirm;
      const { length } = served.core.decisions;
      expect((await ended.post('/confirmation/decide', decision)).status).toBe(409);
      expect(served.core.decisions).toHaveLength(length);
      expect((await ended.post('/confirmation/step', { ...key, to: 'next' })).status).toBe(200);
    },
  );

  test('has no progress while it is undecided, and has progress at the end of a review', async () => {
    const { confirm, key, decision } = await openDisplay();
    expect((await confirm.post('/confirmation/progress', key)).status).toBe(409);
    const { body } = await confirm.post('/confirmation/decide', { ...decision, reason: 'review' });
    const decided = page(served.confirmOrigin, sessionOf(body).secret);
    for (let times = 0; times < 2; times += 1)
      expect((await decided.post('/confirmation/progress', key)).body.output).toMatchObject({ total: 3 });
  });

  test('that was withdrawn before it was opened has no valid ticket', async () => {
    const { id, ticket } = await review();
    await app.post('/api/proposals.withdraw', { id });
    expect((await page(served.confirmOrigin).post('/session', { ticket })).status).toBe(401);
  });

  test('has to be opened within two minutes', async () => {
    const { ticket } = await review();
    served.pass(120_000);
    expect((await page(served.confirmOrigin).post('/session', { ticket })).status).toBe(401);
  });
});

describe('only the confirmation window can decide, because', () => {
  test.each(['look', 'seen', 'picture', 'prepareAgain', 'undo', 'step', 'progress', 'decide'])(
    'the request “%s” of a page of the app is refused by its origin',
    async (what) => {
      const { secret, decision } = await openDisplay();
      const before = served.core.decisions.length;
      const stranger = page(served.confirmOrigin, secret, served.appOrigin);
      expect(await stranger.post(`/confirmation/${what}`, decision)).toMatchObject({
        status: 403,
        body: { code: 'origin_not_allowed' },
      });
      expect(served.core.decisions.length).toBe(before);
    },
  );

  test.each(['postpone', 'open', 'close', 'session.get', 'toString', ''])(
    'the confirmation has no request “%s”',
    async (what) => {
      const { confirm, decision } = await openDisplay();
      expect(await confirm.post(`/confirmation/${what}`, decision)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      });
    },
  );

  test('the secret of the app opens no display', async () => {
    const { decision } = await openDisplay();
    const { origin, ticket } = readAddress(served.address());
    const { body } = await page(origin).post('/session', { ticket });
    const answer = await page(served.confirmOrigin, body.secret).post('/confirmation/decide', decision);
    expect(answer.status).toBe(401);
  });

  test('the secret of a display does not open the app', async () => {
    const { secret } = await openDisplay();
    expect((await page(served.appOrigin, secret).post('/api/session.get', {})).status).toBe(401);
  });

  test('the secret of a display cannot decide another display', async () => {
    const one = await openDisplay();
    const other = await openDisplay();
    const before = served.core.decisions.length;
    expect(await one.confirm.post('/confirmation/decide', other.decision)).toMatchObject({
      status: 409,
      body: { error: { code: 'display_unknown' } },
    });
    expect(served.core.decisions.length).toBe(before);
  });

  test.each([
    ['no secret at all', {}, 401, 'not_signed_in'],
    ['a simultaneous decision', { decision: ['approve', 'deny'] }, 400, 'bad_input'],
    ['an unknown decision', { decision: 'yes' }, 400, 'bad_input'],
    ['a wrong nonce', { nonce: 'wrong' }, 409, 'display_unknown'],
  ])('a decision with %s is refused', async (name, change, status, code) => {
    const { confirm, decision } = await openDisplay();
    const client = name === 'no secret at all' ? page(served.confirmOrigin) : confirm;
    const answer = await client.post('/confirmation/decide', { ...decision, ...change });
    expect(answer).toMatchObject({ status, body: { error: { code } } });
  });

  test('the confirmation origin has no app API', async () => {
    const { confirm } = await openDisplay();
    expect((await confirm.post('/api/session.get', {})).status).toBe(405);
  });
});
