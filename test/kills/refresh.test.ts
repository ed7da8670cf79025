import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createGrantStores } from '#core/connections/index.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createCredentials, createSealer } from '#core/profiles/index.ts';
import { createAccess, type Grant, type StoredGrant } from '#core/service-client/index.ts';
import { openAppStore } from '#core/store/app/index.ts';
import {
  startAuthorizationService,
  tokensOf,
  type AuthorizationService,
} from '#test/core/service-client/oauth/authorization-service.ts';
import { failureOf } from '#test/core/service-client/failure-of.ts';
import { startChild, type Child } from '#test/servers/child.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const program = new URL('./refresher.ts', import.meta.url);

/** The number of kills from outside, right after an answer with new tokens was sent. */
const outsideKills = 3;

/** A service that rotates refresh tokens, and a data folder with a grant whose access token has expired. */
interface World {
  service: AuthorizationService;
  shown(): string[];
  signIn(word: string): Promise<void>;
  /** Starts a child that dies at this point, and waits until it is dead. */
  dieAt(point: string): Promise<string[]>;
  /** Returns the grant that the next start finds, and its token or the failure's code. */
  restart(): Promise<{ found: StoredGrant; token: string }>;
  onAnswer: (child: Child) => void;
}

async function openWorld(): Promise<World> {
  const service = await startAuthorizationService();
  const folder = tempFolder();
  const key = randomBytes(32);
  let child: Child | null = null;
  let count = 0;

  const world: World = {
    service,
    shown: () => service.askedAt('/token').map(({ form }) => form.get('refresh_token') ?? ''),
    signIn: (word) => withGrants(async (grants) => grants.save(grantOf(service, word))),
    async dieAt(point) {
      child = startChild(program, [folder, key.toString('hex'), service.origin, point]);
      const { rest, ended, kill } = child;
      onTestFinished(kill);
      const lines = await rest();
      if ((await ended) !== null) throw new Error('The refresher ended by itself');
      child = null;
      return lines;
    },
    restart: () =>
      withGrants(async (store) => {
        const found = store.load();
        const access = createAccess({ mcpUrl: service.origin, store, clock, logger, timeoutMs: 20_000 });
        const token = await access.token().catch(async () => (await failureOf(access.token())).code);
        return { found, token };
      }),
    onAnswer: () => {},
  };

  service.answer('/token', (response) => {
    count += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(tokensOf(String(count))), () => child && world.onAnswer(child));
  });

  async function withGrants<T>(
    work: (grants: ReturnType<ReturnType<typeof createGrantStores>>) => Promise<T>,
  ) {
    const store = openAppStore({ folder, clock, logger });
    try {
      const credentials = createCredentials({ store, sealer: createSealer(key) });
      return await work(createGrantStores({ store, credentials, clock })('live'));
    } finally {
      await store.dispose();
    }
  }

  return world;
}

function grantOf({ origin }: AuthorizationService, word: string): Grant {
  return {
    issuer: origin,
    clientId: 'the-client',
    resource: `${origin}/mcp`,
    accessToken: `access-${word}`,
    refreshToken: `refresh-${word}`,
    scopes: ['svc:read'],
    expiresAtMs: 0,
    account: null,
    signedInAtMs: 0,
  };
}

const needed = { found: { kind: 'ended' }, token: 'sign_in_needed' };

test.each<[string, string, string[]]>([
  ['before the request was sent', 'lease', []],
  ['between the answer and storing its tokens', 'answer', ['refresh-first']],
])(
  'a refresh that is killed %s ends the grant, and its token is never used again',
  async (_what, point, shown) => {
    const world = await openWorld();
    await world.signIn('first');
    expect(await world.dieAt(point)).toEqual([]);
    expect([await world.restart(), await world.restart()]).toEqual([needed, needed]);
    expect(world.shown()).toEqual(shown);
  },
);

test('a refresh that is killed after storing the new tokens lets the next start continue with them', async () => {
  const world = await openWorld();
  await world.signIn('first');
  await world.dieAt('saved');
  expect(await world.restart()).toMatchObject({ found: { kind: 'held' }, token: 'access-secret-1' });
  expect(world.shown()).toEqual(['refresh-first']);
});

test(`${outsideKills} times killed right after an answer left: no token is used twice, none before it is kept`, async () => {
  const world = await openWorld();
  world.onAnswer = (child) => void child.kill();
  for (let kill = 0; kill < outsideKills; kill += 1) {
    await world.signIn(`sign-in-${kill}`);
    const used = await world.dieAt('outside');
    const { found, token } = await world.restart();
    const shown = world.shown();
    expect(new Set(shown).size).toBe(shown.length);
    if (found.kind === 'held') {
      expect(token).toBe(found.grant.accessToken);
      continue;
    }
    expect({ found, token }).toEqual(needed);
    expect(used).not.toContain(`access-secret-${shown.length}`);
  }
});
