import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoAccounts } from '#core/backend/demo-data/credentials.ts';
import { type Consent, createInteractions } from '#core/backend/open-remote-side.ts';
import { tenants } from '#core/backend/service.ts';
import type { AuthorizationRequest, InteractionResult } from '#core/oauth-server/index.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openLoopbackListener } from '#core/platform/loopback/listener.ts';
import { openBackendStore } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';

/** The service's pages on a listener of their own, with every result that they produced. */
export interface PageHost {
  /** The origin of the listener. */
  origin: string;
  /** Starts an interaction and returns its address. */
  ask(asked?: Partial<AuthorizationRequest>): string;
  results: InteractionResult[];
  password: string;
  clock: ManualClock;
  dispose(): Promise<void>;
}

const pagePassword = 'correct-horse-16';

/**
 * Serves the pages of this kind of consent at `/interaction/{id}`. After an answer the browser is redirected as the standard
 * requires.
 */
export async function openPageHost(consent: Consent = { kind: 'page' }): Promise<PageHost> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-pages-'));
  const clock = createManualClock();
  const ids = createIds(() => clock.nowMs());
  const logger = silentLogger;
  const store = openBackendStore({ file: join(folder, 'backend.sqlite'), clock, logger });
  const tenant = tenants.northwind;
  store.transaction(() =>
    Object.values(demoAccounts(tenant.id)).forEach((one) => store.write.addMember(one)),
  );
  const context = { types: {}, settings: tenant.settings };
  const strategy = createInteractions(
    { store, tenant, context, clock, ids, logger },
    { consent, password: pagePassword },
  );

  const asked = new Map<string, AuthorizationRequest>();
  const results: InteractionResult[] = [];
  const listener = await openLoopbackListener({
    port: 0,
    logger,
    handler: (request, response) => {
      const [, path = '', id = '', subpath = ''] =
        /^(\/interaction\/(\w+))([^?]*)/.exec(request.url ?? '') ?? [];
      const found = asked.get(id);
      if (found === undefined) return void response.writeHead(404).end();
      const finish = async (result: InteractionResult): Promise<void> => {
        results.push(result);
        asked.delete(id);
        const answer = result.kind === 'granted' ? 'code=abc' : 'error=access_denied';
        response.writeHead(303, { location: `${found.redirectUri}?${answer}` }).end();
      };
      strategy.handle(found, { request, response, path, subpath, finish }).catch((failure: unknown) => {
        response.writeHead(failure instanceof AppError ? failure.status : 500).end();
      });
    },
  });
  return {
    origin: listener.origin,
    ask(own = {}) {
      const id = `i${asked.size + results.length}${ids.id()}`;
      asked.set(id, {
        id,
        clientId: 'client-1',
        clientName: 'MCP Inspector',
        grantTypes: ['authorization_code', 'refresh_token'],
        redirectUri: 'http://127.0.0.1:33418/callback',
        scopes: ['svc:read', 'svc:write', 'svc:upload', 'offline_access'],
        resource: `${listener.origin}/mcp`,
        expiresAtMs: clock.nowMs() + 600_000,
        ...own,
      });
      return `${listener.origin}/interaction/${id}`;
    },
    results,
    password: pagePassword,
    clock,
    async dispose() {
      await listener.dispose();
      await store.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
