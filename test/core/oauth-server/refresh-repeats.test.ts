import { expect, onTestFinished, test } from 'vitest';
import { createMemoryRows, type OAuthRows } from '#core/store/oauth-rows.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { createTestClient, type TestClient, type Tokens } from './test-client.ts';

/** A server configured like the gateway's, a signed-in client, and the server's reports. */
interface Signed {
  server: RunningServer;
  client: TestClient;
  rows: OAuthRows;
  clock: ManualClock;
  clientId: string;
  tokens: Tokens;
  revoked: string[];
  repeats: string[];
  refresh(token?: string, changes?: Record<string, string | null>): Promise<Refreshed>;
  isAlive(token: string): Promise<boolean>;
}

interface Refreshed {
  status: number;
  text: string;
  tokens: Tokens;
}

async function open({
  clock = createManualClock(),
  rows = createMemoryRows(),
}: { clock?: ManualClock; rows?: OAuthRows } = {}): Promise<Signed> {
  const repeats: string[] = [];
  const revoked: string[] = [];
  const server = await openServer({
    clock,
    rows,
    refreshRepeats: { onRepeat: ({ subject }) => void repeats.push(subject) },
  });
  onTestFinished(() => server.dispose());
  server.server.onRevoked((grantId) => void revoked.push(grantId));
  const client = createTestClient(server.origin);
  const { clientId, tokens } = await client.signIn();
  return {
    server,
    client,
    rows,
    clock,
    clientId,
    tokens,
    revoked,
    repeats,
    async refresh(token = tokens.refresh_token ?? '', changes = {}) {
      const answer = await client.refresh(clientId, token, changes);
      const text = await answer.text();
      return { status: answer.status, text, tokens: JSON.parse(text) as Tokens };
    },
    isAlive: async (token) => (await server.server.authenticate(token)) !== null,
  };
}

test.each([2, 5, 50])(
  '%i simultaneous refreshes with one token make one rotation, and each caller gets valid tokens',
  async (count) => {
    const signed = await open();
    const answers = await Promise.all(Array.from({ length: count }, () => signed.refresh()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const [{ tokens } = answers[0]!] = answers;
    expect(await signed.isAlive(tokens.access_token)).toBe(true);
    // The first refresh token and a single successor.
    expect(signed.rows.count('RefreshToken')).toBe(2);
    expect([signed.revoked, signed.repeats.length]).toEqual([[], count - 1]);
    expect((await signed.refresh(tokens.refresh_token)).status).toBe(200);
  },
);

test('the same answer is repeated for ten seconds, even after the new access token was used', async () => {
  const signed = await open();
  const first = await signed.refresh();
  expect(await signed.isAlive(first.tokens.access_token)).toBe(true);
  signed.clock.advance(9_999);
  expect((await signed.refresh()).text).toBe(first.text);
  expect(signed.repeats).toEqual(['7']);
});

test('a caller that uses the new token at once does not break a caller that still sends the used token', async () => {
  const signed = await open();
  const first = await signed.refresh();
  const [second, joined, straggler] = await Promise.all([
    signed.refresh(first.tokens.refresh_token),
    signed.refresh(first.tokens.refresh_token),
    signed.refresh(),
  ]);
  expect([straggler.status, straggler.text]).toEqual([200, first.text]);
  expect([joined.text, signed.revoked]).toEqual([second.text, []]);
  expect(second.tokens.refresh_token).not.toBe(first.tokens.refresh_token);
  expect(await signed.isAlive(second.tokens.access_token)).toBe(true);
});

/** Uses that turn a used refresh token into a stolen one after a successful refresh. */
const reuses: Record<string, (signed: Signed, first: Refreshed) => Promise<Refreshed>> = {
  'after ten seconds': async (signed) => {
    signed.clock.advance(10_000);
    return signed.refresh();
  },
  'after its successor was used': async (signed, first) => {
    await signed.refresh(first.tokens.refresh_token);
    return signed.refresh();
  },
  'for other scopes': (signed) => signed.refresh(undefined, { scope: 'svc:read' }),
};

test.each(Object.entries(reuses))(
  'a used token that is sent again %s ends its family',
  async (_when, reuse) => {
    const signed = await open();
    const first = await signed.refresh();
    const again = await reuse(signed, first);
    expect([again.status, JSON.parse(again.text)]).toMatchObject([400, { error: 'invalid_grant' }]);
    expect([signed.revoked.length, await signed.isAlive(first.tokens.access_token)]).toEqual([1, false]);
    expect((await signed.refresh(first.tokens.refresh_token)).status).toBe(400);
  },
);

test('the ten seconds do not depend on the time of day', async () => {
  const signed = await open();
  const first = await signed.refresh();
  signed.clock.setForward(-60_000);
  expect((await signed.refresh()).text).toBe(first.text);
  signed.clock.setForward(120_000);
  expect((await signed.refresh()).text).toBe(first.text);
  signed.clock.advance(10_000);
  expect((await signed.refresh()).status).toBe(400);
});

test('after a restart no answer is repeated, and the used token ends its family', async () => {
  const clock = createManualClock();
  const rows = createMemoryRows();
  const signed = await open({ clock, rows });
  const first = await signed.refresh();
  const { port } = signed.server;
  await signed.server.dispose();
  const again = await openServer({ clock, rows, refreshRepeats: { onRepeat: () => {} } });
  onTestFinished(() => again.dispose());
  expect(again.port).not.toBe(port);
  const client = createTestClient(again.origin);
  const answer = await client.refresh(signed.clientId, signed.tokens.refresh_token ?? '', { resource: null });
  expect(answer.status).toBe(400);
  const successor = await client.refresh(signed.clientId, first.tokens.refresh_token ?? '', {
    resource: null,
  });
  expect(successor.status).toBe(400);
  expect(rows.count('RefreshToken')).toBe(0);
});

test('another client that sends a used token gets no answer and ends nothing', async () => {
  const signed = await open();
  const first = await signed.refresh();
  const other = await signed.client.registered();
  const answer = await signed.client.refresh(other, signed.tokens.refresh_token ?? '');
  expect([answer.status, await signed.isAlive(first.tokens.access_token)]).toEqual([400, true]);
  expect([signed.revoked, signed.repeats]).toEqual([[], []]);
});

test('no answer is repeated for a grant that has ended', async () => {
  const signed = await open();
  const first = await signed.refresh();
  const grant = await signed.server.server.authenticate(first.tokens.access_token);
  await signed.server.server.revokeGrant(grant?.grantId ?? '');
  expect((await signed.refresh()).status).toBe(400);
  expect(signed.repeats).toEqual([]);
});

test('a failed refresh is not repeated', async () => {
  const signed = await open();
  const answers = await Promise.all([
    signed.refresh('x'.repeat(43)),
    signed.refresh('x'.repeat(43)),
    signed.refresh('x'.repeat(43)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  expect((await signed.refresh()).status).toBe(200);
  expect(signed.repeats).toEqual([]);
});
