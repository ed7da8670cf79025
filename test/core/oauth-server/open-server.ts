import { createIds } from '#core/platform/ids.ts';
import { openLoopbackListener, type LoopbackHandler } from '#core/platform/loopback/listener.ts';
import { silentLogger } from '#core/platform/logger.ts';
import {
  type AccessGrant,
  createAuthorizationServer,
  type AuthorizationRequest,
  type AuthorizationServer,
  type AuthorizationServerOptions,
  type InteractionResult,
} from '#core/oauth-server/index.ts';
import { createMemoryRows } from '#core/store/oauth-rows.ts';
import { movableClock } from '../backend/open-backend.ts';

/** An authorization server behind a real listener. */
export interface RunningServer {
  /** Finds the grant of a token whose subject is active. */
  server: Omit<AuthorizationServer, 'authenticate'> & {
    authenticate(token: string): Promise<AccessGrant | null>;
  };
  origin: string;
  port: number;
  resource: string;
  clock: ReturnType<typeof movableClock>;
  /** Authorization requests that reached the interaction, in order. */
  asked: AuthorizationRequest[];
  dispose(): Promise<void>;
}

export interface ServerSettings extends Partial<AuthorizationServerOptions> {
  /** Answers for the person. By default the person agrees to everything as subject 7. */
  answer?: (asked: AuthorizationRequest) => InteractionResult;
}

/** Scopes like those of the contract. */
const scopes = [
  { name: 'svc:read', isDefault: true, ofResource: true },
  { name: 'svc:write', isDefault: false, ofResource: true },
  { name: 'svc:upload', isDefault: false, ofResource: true },
  { name: 'offline_access', isDefault: false, ofResource: false },
];

/** Starts a server whose person answers at once. */
export async function openServer(settings: ServerSettings = {}): Promise<RunningServer> {
  const { answer = agree, isActive = () => true, ...options } = settings;
  const clock = movableClock();
  const asked: AuthorizationRequest[] = [];
  const notYet: LoopbackHandler = (_request, response) => void response.writeHead(503).end();
  let handler = notYet;
  const listener = await openLoopbackListener({
    port: 0,
    logger: silentLogger,
    handler: (request, response) => handler(request, response),
  });
  const resource = `${listener.origin}/mcp`;
  const server = await createAuthorizationServer({
    issuer: listener.origin,
    resource,
    scopes,
    rows: createMemoryRows(),
    interaction: {
      async handle(request, exchange) {
        asked.push(request);
        await exchange.finish(answer(request));
      },
    },
    registration: { kind: 'open', maxClients: 50 },
    isActive,
    quotas: { tokenRequestsPerMinute: null, registrationsPerMinute: null },
    clock,
    ids: createIds(() => clock.nowMs()),
    logger: silentLogger,
    ...options,
  });
  handler = server.handle;
  const ifActive = (grant: AccessGrant): AccessGrant | null => (isActive(grant.subject) ? grant : null);
  return {
    server: { ...server, authenticate: (token) => server.authenticate(token, ifActive) },
    origin: listener.origin,
    port: listener.port,
    resource,
    clock,
    asked,
    async dispose() {
      await listener.dispose();
      await server.dispose();
    },
  };
}

function agree({ scopes: asked }: AuthorizationRequest): InteractionResult {
  return { kind: 'granted', subject: '7', scopes: asked };
}
