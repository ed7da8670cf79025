import { DisposableStack, type AsyncDisposable } from '#core/platform/disposable.ts';
import type { LoopbackHandler } from '#core/platform/loopback/listener.ts';
import { createMcpServer } from '#core/mcp-server/index.ts';
import {
  createAuthorizationServer,
  type IssuedGrant,
  type OAuthQuotas,
  type TokenLifetimes,
  type InteractionStrategy,
  type AuthorizationRequest,
  type InteractionResult,
  type KnownClient,
} from '#core/oauth-server/index.ts';
import type { MemberTokens } from './authentication.ts';
import type { Surface } from './faults/faults.ts';
import { createRemoteAuthentication, type RemoteQuotas } from './mcp/admission.ts';
import {
  createRemoteSurface,
  serverInfo,
  serverInstructions,
  type RemoteSurface,
} from './mcp/remote-surface.ts';
import { principalKeyOf } from './remote-call/tool.ts';
import { oauthScopes } from './oauth/sign-in-accounts.ts';
import { createOperations } from './operations/operations.ts';
import { notReadyWhereStorageFails, pathOf } from './http/create-app.ts';
import type { PublisherReports } from './publisher/reports.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { BackendService } from './service.ts';
import { createTasks } from './tasks/tasks.ts';
import { uploadWrite } from './uploads/uploads.ts';
import { campaignWrites } from './operations/campaign-writes.ts';

import { AppError } from '#shared/errors/index.ts';
import { createPageInteractions } from './oauth/page-interactions.ts';

interface RemoteSideOptions {
  origin: string;
  reports: PublisherReports;
  tokens: MemberTokens;
  password: string;
  consent: Consent;
  allowDirectJwt?: boolean;
  quotas?: Partial<RemoteQuotas & OAuthQuotas>;
  lifetimes?: Partial<TokenLifetimes>;
  onCommit(args: JsonObject): void;
}

export interface RemoteSide extends AsyncDisposable {
  handlerWithFallback(rest: LoopbackHandler): LoopbackHandler;
  surfaceOf(path: string): Surface;
  resourceMetadataUrl: string;
  issueGrant(options: {
    uid: number;
    scopes: readonly string[];
    isPersistent?: boolean;
  }): Promise<IssuedGrant>;
  notifyAccessChanged(uid: number): void;
  /** Changes the published definition of a tool and notifies open sessions. Fails with `object_not_found`. */
  redefineTool: RemoteSurface['redefineTool'];
  /** Lets a tool ignore arguments that its definition does not name. Fails with `object_not_found`. */
  allowExtraArguments: RemoteSurface['allowExtraArguments'];
}

const defaultQuotas: RemoteQuotas = { callsPerMinute: 240, operationsPerMinute: 60 };

const maxClients = 200;

export async function openRemoteSide(
  service: BackendService,
  options: RemoteSideOptions,
): Promise<RemoteSide> {
  const { origin, reports, tokens, consent, password, onCommit } = options;
  const { store, clock, ids, logger } = service;
  const disposables = new DisposableStack();
  const quotas = { ...defaultQuotas, ...options.quotas };
  const oauth = disposables.use(
    await createAuthorizationServer({
      issuer: origin,
      resource: `${origin}/mcp`,
      scopes: oauthScopes,
      rows: store.oauth,
      interaction: createInteractions(service, { consent, password }),
      registration: consent.kind === 'page' ? { kind: 'open', maxClients } : { kind: 'closed' },
      knownClients: consent.kind === 'page' ? [] : consent.clients,
      isActive: (subject) => store.read.member(Number(subject)) !== null,
      ...(options.lifetimes === undefined ? {} : { lifetimes: options.lifetimes }),
      ...(options.quotas === undefined ? {} : { quotas: options.quotas }),
      clock,
      ids,
      logger,
    }),
  );
  const tasks = disposables.use(createTasks(service, { reports }));
  const operations = createOperations(service, [
    ...campaignWrites(service),
    uploadWrite(service, { origin }),
    ...tasks.kinds,
  ]);
  const allowDirectJwt = options.allowDirectJwt ?? false;
  const authenticate = createRemoteAuthentication(service, { oauth, tokens, allowDirectJwt });
  const surface = notReadyWhereStorageFails(
    createRemoteSurface(service, {
      reports,
      tools: [...tasks.tools, ...operations.tools],
      runs: tasks,
      quotas,
      onCommit,
    }),
  );
  const mcp = disposables.use(
    createMcpServer({
      info: serverInfo,
      instructions: serverInstructions,
      ...notReadyWhereStorageFails({ authenticate }),
      surface,
      resourceMetadataUrl: oauth.resourceMetadataUrl,
      clock,
      ids,
      logger,
    }),
  );
  disposables.defer(oauth.onRevoked((grantId) => mcp.endGrant(grantId)));
  tasks.start(operations);
  return {
    handlerWithFallback: (rest) => dispatchTo({ oauth, mcp: mcp.handle, rest }),
    surfaceOf: (path) => surfaceOf(path, oauth),
    resourceMetadataUrl: oauth.resourceMetadataUrl,
    issueGrant: ({ uid, ...asked }) =>
      oauth.issueGrant({ subject: String(uid), clientName: 'Countersign', ...asked }),
    notifyAccessChanged: (uid) => mcp.listsChanged((key) => key.startsWith(principalKeyOf(uid, ''))),
    redefineTool(name, definition) {
      surface.redefineTool(name, definition);
      mcp.listsChanged(() => true);
    },
    allowExtraArguments: (name) => surface.allowExtraArguments(name),
    dispose: () => disposables.dispose(),
  };
}

interface RemoteHandlers {
  oauth: { answers(path: string): boolean; handle: LoopbackHandler };
  mcp: LoopbackHandler;
  rest: LoopbackHandler;
}

function surfaceOf(path: string, oauth: Pick<RemoteHandlers['oauth'], 'answers'>): Surface {
  if (path === '/mcp') return 'mcp';
  return oauth.answers(path) ? 'oauth' : 'rest';
}

function dispatchTo({ oauth, mcp, rest }: RemoteHandlers): LoopbackHandler {
  const handlers: Readonly<Record<Surface, LoopbackHandler>> = { oauth: oauth.handle, mcp, rest };
  return (request, response) => handlers[surfaceOf(pathOf(request.url ?? ''), oauth)](request, response);
}

/** `password` signs in to every demo account. */
export function createInteractions(
  service: BackendService,
  { consent, password }: { consent: Consent; password: string },
): InteractionStrategy {
  return consent.kind === 'page'
    ? createPageInteractions(service, password)
    : createAnsweredInteractions(consent);
}

/**
 * `page`: demo accounts sign in on a page of the service, and any client may register. `answered`: this process decides for the
 * named clients, and registration is refused.
 */
export type Consent =
  | { kind: 'page' }
  | {
      kind: 'answered';
      clients: readonly KnownClient[];
      answer(asked: AuthorizationRequest): InteractionResult | Promise<InteractionResult>;
    };

function createAnsweredInteractions({
  clients,
  answer,
}: Extract<Consent, { kind: 'answered' }>): InteractionStrategy {
  return {
    async handle(asked, { request, subpath, finish }) {
      if (subpath !== '' || request.method !== 'GET') throw new AppError('not_found');
      const isKnownClient = clients.some(({ clientId }) => clientId === asked.clientId);
      await finish(isKnownClient ? await answer(asked) : { kind: 'denied' });
    },
  };
}
