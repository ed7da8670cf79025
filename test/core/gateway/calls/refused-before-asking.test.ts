import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, test } from 'vitest';
import { assertCommittable } from '#core/gateway/calls/prepared.ts';
import { AppError } from '#shared/errors/index.ts';
import { connect, openWithAgent, proposals, textOf } from '../admission/admitted-agent.ts';
import { initialize, openEndpointWorld } from '../endpoint/endpoint-world.ts';

type Args = Record<string, unknown>;

test('a commit whose form the service would refuse is refused before a person is asked', async () => {
  const { world, agent, cid } = await openWithAgent();
  const args = await agent.prepare(cid, 'key-1');
  const refused: Record<string, { change: Args; says: string }> = {
    'a key with a space': { change: { idempotencyKey: 'key 1' }, says: '“idempotencyKey”' },
    'a key of spaces': { change: { idempotencyKey: '  ' }, says: '“idempotencyKey”' },
    'an empty key': { change: { idempotencyKey: '' }, says: '“idempotencyKey”' },
    'a key with a line end': { change: { idempotencyKey: 'key\n1' }, says: '“idempotencyKey”' },
    'a key that is not ASCII': { change: { idempotencyKey: 'kéy' }, says: '“idempotencyKey”' },
    'a key of 201 characters': { change: { idempotencyKey: 'k'.repeat(201) }, says: '“idempotencyKey”' },
    'a key that is a number': { change: { idempotencyKey: 1 }, says: '“idempotencyKey”' },
    'no key': { change: { idempotencyKey: undefined }, says: '“idempotencyKey”' },
    'an empty payload': { change: { payload: {} }, says: '“payload”' },
    'a payload that is a list': { change: { payload: [] }, says: '“payload”' },
    'a payload that is a text': { change: { payload: 'everything' }, says: '“payload”' },
    'an argument that its schema does not name': {
      change: { note: 'Names only' },
      says: '“note” is no argument of this tool. Leave it out.',
    },
    'an argument in capitals': { change: { Payload: {} }, says: '“Payload” is no argument' },
    'an approval that was never prepared': {
      change: { approvalId: 'made-up' },
      says: 'Prepare the change again',
    },
    'an empty approval': { change: { approvalId: '' }, says: 'Prepare the change again' },
    'another fingerprint': { change: { fingerprint: 'other' }, says: 'fingerprint' },
    'another payload': { change: { payload: { cid, name: 'Else' } }, says: 'not the one that was prepared' },
  };
  for (const [name, { change, says }] of Object.entries(refused)) {
    const result = await agent.call('svc_commit', { ...args, ...change });
    expect([name, result.isError, textOf(result)]).toEqual([name, true, expect.stringContaining(says)]);
  }
  expect([await proposals(world, 'waiting'), await proposals(world, 'past')]).toEqual([[], []]);
});

test('an approval that was prepared for another agent or outside Countersign is refused with a remedy', async () => {
  const { endpointWorld, world, agent, cid } = await openWithAgent();
  const other = await connect(
    endpointWorld,
    (await endpointWorld.enter({ client_name: 'Other' })).tokens.access_token,
  );
  const result = await other.call('svc_commit', await agent.prepare(cid, 'key-1'));
  expect(textOf(result)).toContain('Prepare the change again through Countersign');
  expect(await proposals(world, 'waiting')).toEqual([]);
});

test.each([[['made-up']], [{ id: 'made-up' }], [7], [null], [true], ['']])(
  'an unknown approval is refused in every form, as %j',
  (approvalId) => {
    const args = { approvalId, payload: { cid: 1 }, idempotencyKey: 'k' };
    expect(() => {
      assertCommittable({ name: 'svc_commit' }, args, null);
    }).toThrow(new AppError('approval_unseen').message);
  },
);

test('a key of maximum length and every visible ASCII character is accepted', async () => {
  const { agent, world, cid } = await openWithAgent();
  const visible = Array.from({ length: 94 }, (_, at) => String.fromCodePoint(0x21 + at)).join('');
  const call = agent.call('svc_commit', {
    ...(await agent.prepare(cid, 'key-1')),
    idempotencyKey: (visible + visible + visible).slice(0, 200),
  });
  await expect.poll(async () => (await proposals(world, 'waiting')).length).toBe(1);
  await agent.transport.terminateSession();
  await call;
});

test('a note with a credential is refused and not shown', async () => {
  const { world, agent, cid, token } = await openWithAgent();
  const credentials = {
    'the agent’s own token': token,
    'a publisher key': `pk_${'a'.repeat(40)}`,
    'a JSON Web Token': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'a header': 'Authorization: Bearer abcdefgh12345678',
    'an address with a password': 'https://me:secret@example.com/',
    'one that is percent-encoded': `%70k_${'a'.repeat(40)}`,
  };
  for (const [name, credential] of Object.entries(credentials)) {
    const result = await agent.call('countersign_note', { text: `Use ${credential} for it.` });
    expect([name, result.isError, textOf(result)]).toEqual([
      name,
      true,
      expect.stringContaining('credential'),
    ]);
    expect(textOf(result)).not.toContain(credential);
  }
  expect(
    (await agent.call('countersign_note', { text: 'The bid of {click_id} is low.' })).isError,
  ).toBeFalsy();
  const call = agent.call('svc_commit', await agent.prepare(cid, 'key-1'));
  await expect
    .poll(async () => (await proposals(world, 'waiting'))[0]?.quotation)
    .toBe('The bid of {click_id} is low.');
  await agent.transport.terminateSession();
  await call;
});

describe('an agent that connects to localhost', () => {
  test('gets the right address in an error that the SDK’s client shows, and no metadata for another address', async () => {
    const { url, enter } = await openEndpointWorld({ campaigns: 1 });
    const { tokens } = await enter();
    const wrong = url.replace('127.0.0.1', 'localhost');
    const client = new Client({ name: 'agent', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(wrong), {
      requestInit: { headers: { authorization: `Bearer ${tokens.access_token}` } },
    });
    await expect(client.connect(transport)).rejects.toThrow(`Connect at ${url}`);
    expect((await initialize(url, tokens.access_token)).status).toBe(200);
    const documents = ['oauth-protected-resource/mcp', 'oauth-authorization-server'];
    for (const path of ['/', '/token', ...documents.map((name) => `/.well-known/${name}`)]) {
      const answer = await fetch(new URL(path, wrong));
      const body = (await answer.json()) as { code: string; message: string };
      expect([path, answer.status, body.code]).toEqual([path, 421, 'host_not_allowed']);
      expect(body.message).toContain(`Connect at ${url}`);
    }
  });
});

test('a program that registered for refresh tokens gets one whatever it requests, and the window says so', async () => {
  const { client, requestAccess, waiting, answer, url } = await openEndpointWorld({ campaigns: 1 });
  for (const scope of ['svc:read', 'svc:read svc:write', 'svc:read offline_access', null]) {
    const grants = { grant_types: ['refresh_token', 'authorization_code'] };
    const clientId = await client.registered(grants);
    const { browser, redeem } = await requestAccess(undefined, clientId, { scope });
    expect((await waiting())[0]?.detail).toMatchObject({
      until: 'Until you revoke access.',
    });
    await answer('allow');
    const tokens = (await (await redeem((await browser.untilSent()).get('code') ?? '')).json()) as {
      refresh_token: string;
    };
    const refreshed = await client.refresh(clientId, tokens.refresh_token);
    const { access_token: token } = (await refreshed.json()) as { access_token: string };
    expect((await initialize(url, token)).status).toBe(200);
  }
});

test('a program that did not register for refresh tokens gets none, and the window says that its sign-in ends', async () => {
  const { requestAccess, waiting, answer } = await openEndpointWorld({ campaigns: 1 });
  const { browser, redeem } = await requestAccess({ grant_types: ['authorization_code'] });
  expect((await waiting())[0]?.detail).toMatchObject({
    until: expect.stringContaining('it cannot renew its sign-in') as string,
  });
  await answer('allow');
  const tokens = await (await redeem((await browser.untilSent()).get('code') ?? '')).json();
  expect(tokens).not.toHaveProperty('refresh_token');
});
