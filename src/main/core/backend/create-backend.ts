import type { FastifyInstance } from 'fastify';
import type { IssuedGrant, OAuthQuotas, TokenLifetimes } from '#core/oauth-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { DisposableStack, type AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { LoopbackLimits } from '#core/platform/loopback/guards.ts';
import { openLoopbackListener, type LoopbackHandler } from '#core/platform/loopback/listener.ts';
import {
  openBackendStore,
  type BackendStore,
  type FolderLock,
  type Member,
  newestFirst,
} from '#core/store/backend/index.ts';
import type { CampaignContext, CampaignRow } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  demoAccounts,
  type DemoAccounts,
  createDemoCredentials,
  type DemoCredentials,
} from './demo-data/credentials.ts';
import { makeDemoData, defaultCampaigns } from './demo-data/make-demo-data.ts';
import { createDemoStatistics, defaultDays } from './demo-data/statistics.ts';
import {
  createCommitFaults,
  createFaults,
  type Faults,
  type ServicePart,
  withFaults,
} from './faults/faults.ts';
import { createApp, createRequestLog, type LoggedRequest, refuseOtherMethods } from './http/create-app.ts';
import type { RemoteQuotas } from './mcp/admission.ts';
import { authenticate, createMemberTokens } from './authentication.ts';
import { installMemberRoutes, memberBasePath } from './member/routes.ts';
import { storeUpdate, loadOwned } from './member/campaign-rules.ts';
import { type Consent, openRemoteSide, type RemoteSide } from './open-remote-side.ts';
import { createReports } from './publisher/reports.ts';
import { installPublisherRoutes } from './publisher/routes.ts';
import type { Scope } from './remote-call/tool.ts';
import { type BackendService, tenants, type TenantId } from './service.ts';
import { createPictureOrigin } from './uploads/picture-address.ts';
import { installUploadRoutes } from './uploads/uploads.ts';

export interface BackendOptions {
  tenant: TenantId;
  /** Absolute path. An empty database is filled with demo data. */
  file: string;
  lock?: FolderLock;
  consent: Consent;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  faults?: Faults;
  /** Number of campaigns; only used at the first start. */
  campaigns?: number;
  /** Days of statistics including today; only used at the first start. */
  days?: number;
  /** Lets the buyer read the publisher's traffic, for a person who plays both roles. */
  sharesTraffic?: boolean;
  /** 0, the default, selects any free port. */
  port?: number;
  /** ALLOW_DIRECT_JWT of contract §5.3. */
  allowDirectJwt?: boolean;
  quotas?: Partial<RemoteQuotas & OAuthQuotas>;
  lifetimes?: Partial<TokenLifetimes>;
  limits?: Partial<LoopbackLimits>;
}

export interface BackendAddresses {
  baseUrl: string;
  apiUrl: string;
  mcpUrl: string;
  port: number;
}

export interface Backend extends AsyncDisposable {
  /** Fails with `port_taken`. */
  listen(): Promise<BackendAddresses>;
  /** Call it after `listen`. The credentials become invalid when this process ends, member tokens also after 12 hours. */
  issueDemoCredentials(): DemoCredentials;
  /** Call it after `listen`. The token is valid for 12 hours. */
  issueMemberToken(account: keyof DemoAccounts): string;
  /** Grants access without a sign-in page; call it after `listen`. Fails with `not_ready` while a fault makes sign-ins fail. */
  issueRemoteGrant(options: {
    account: keyof DemoAccounts;
    scopes: readonly Scope[];
    /** Returns the grant of the previous call, even after a restart. */
    isPersistent?: boolean;
  }): Promise<IssuedGrant>;
  setAccess(uid: number, access: Partial<Pick<Member, 'mcpMenu' | 'modules'>>): void;
  balanceMicros(uid: number): number | null;
  setBalance(uid: number, balanceMicros: number): void;
  /** Edits a campaign as another user of the buyer's account; checked like a full update. */
  editCampaign(cid: number, fields: JsonObject): void;
  /** Makes all edits or none. */
  editCampaigns(edits: readonly { cid: number; fields: JsonObject }[]): void;
  /** Redefines a tool until exit. Call after `listen`. Fails with `object_not_found`. */
  redefineTool: RemoteSide['redefineTool'];
  /** Lets the tool ignore arguments that its definition does not name. Call it after `listen`. Fails with `object_not_found`. */
  allowExtraArguments: RemoteSide['allowExtraArguments'];
  /** Omits campaigns that were never approved. */
  buyersCampaigns(): { campaigns: JsonObject[]; context: CampaignContext };
  faults: Faults;
  copyTo(file: string): Promise<void>;
  requestLog(): LoggedRequest[];
  setAside: string | null;
}

export function createBackend(options: BackendOptions): Backend {
  const { file, clock, ids, logger } = options;
  const tenant = tenants[options.tenant];
  const faults = options.faults ?? createFaults();
  const disposables = new DisposableStack();
  const pictureOrigin = createPictureOrigin();
  const store = pictureOrigin.applyTo(
    disposables.use(openBackendStore({ file, clock, logger, lock: options.lock })),
  );
  if (store.read.isEmpty()) {
    makeDemoData(store, { tenant, nowMs: clock.nowMs(), campaigns: options.campaigns ?? defaultCampaigns });
  }
  const service: BackendService = { store, tenant, context: store.read.tenant(), clock, ids, logger };
  const tokens = createMemberTokens({ secret: ids.secret(), clock });
  const credentials = createDemoCredentials(service, tokens);
  const statistics = disposables.use(createDemoStatistics(service, { days: options.days ?? defaultDays }));
  const { buyer, publisher } = demoAccounts(tenant.id);
  const reports = createReports(service, statistics, (uid) =>
    options.sharesTraffic === true && uid === buyer.uid ? [publisher.uid] : [],
  );

  const commits = createCommitFaults(faults);
  const log = createRequestLog();
  const app = createApp({ logger });
  disposables.defer(() => app.close());
  installMemberRoutes(app, {
    store,
    context: service.context,
    authenticate: (request) => authenticate(request.raw, { tokens, tenant: tenant.id }),
  });
  installPublisherRoutes(app, service, reports);
  installUploadRoutes(app, service);
  installHealthRoutes(app, service, faults);

  const refuseUntilReady: LoopbackHandler = (request, response) => {
    if (request.url !== '/health') throw new AppError('not_ready');
    app.routing(request, response);
  };
  let handler = refuseUntilReady;
  let remote: Awaited<ReturnType<typeof openRemoteSide>> | null = null;
  function editCampaigns(edits: Parameters<Backend['editCampaigns']>[0]): void {
    const { uid } = buyer;
    store.transaction(() => {
      for (const { cid, fields } of edits) {
        const sent = { ...loadOwned(store.read, uid, cid), ...fields };
        storeUpdate(service, { uid, cid, sent });
      }
    });
  }
  const requireRemote = (): NonNullable<typeof remote> => {
    if (remote === null) throw new Error('The service does not listen yet');
    return remote;
  };
  return {
    async listen() {
      await app.ready();
      const listener = disposables.use(
        await openLoopbackListener({
          port: options.port ?? 0,
          logger,
          handler: (request, response) => handler(request, response),
          ...(options.limits === undefined ? {} : { limits: options.limits }),
        }),
      );
      const { origin, port } = listener;
      tokens.bindTo(origin);
      pictureOrigin.bindTo(origin);
      // The issuer is the address, so the remote side is created once the port is known.
      remote = disposables.use(
        await openRemoteSide(service, {
          ...options,
          origin,
          reports,
          tokens,
          password: credentials.password,
          onCommit: commits.strike,
        }),
      );
      // Refuses new requests before sessions, streams and listener are closed.
      disposables.defer(() => void (handler = refuseUntilReady));
      handler = withFaults({
        handler: remote.handlerWithFallback(app.routing),
        faults,
        commits,
        log,
        clock,
        logger,
        surfaceOf: remote.surfaceOf,
        challenge: `Bearer error="invalid_token", resource_metadata="${remote.resourceMetadataUrl}"`,
      });
      statistics.start();
      return { baseUrl: `${origin}${memberBasePath}`, apiUrl: origin, mcpUrl: origin, port };
    },
    issueDemoCredentials: () => credentials.issue(),
    issueMemberToken: (account) => credentials.issueMemberToken(account),
    async issueRemoteGrant({ account, ...asked }) {
      if (faults.isFailing('oauth_storage')) throw new AppError('not_ready');
      return requireRemote().issueGrant({ uid: credentials.uidOf(account), ...asked });
    },
    setAccess(uid, access) {
      store.transaction(() => store.write.setAccess(uid, access));
      remote?.notifyAccessChanged(uid);
    },
    buyersCampaigns: () => ({ campaigns: campaignsOf(store, buyer.uid), context: service.context }),
    balanceMicros: (uid) => store.read.member(uid)?.balanceMicros ?? null,
    setBalance: (uid, balanceMicros) => store.transaction(() => store.write.setBalance(uid, balanceMicros)),
    editCampaign: (cid, fields) => editCampaigns([{ cid, fields }]),
    editCampaigns,
    redefineTool: (name, definition) => requireRemote().redefineTool(name, definition),
    allowExtraArguments: (name) => requireRemote().allowExtraArguments(name),
    faults,
    copyTo: store.copyTo,
    requestLog: () => log.entries(),
    setAside: store.setAside,
    dispose: () => disposables.dispose(),
  };
}

function campaignsOf({ read }: BackendStore, uid: number): JsonObject[] {
  const { rows } = read.list({ ...newestFirst, uid, order: 'asc', limit: 10_000 });
  return rows.flatMap((row) => {
    const { cid } = JSON.parse(row) as CampaignRow;
    return read.isUnapproved(cid) ? [] : [loadOwned(read, uid, cid)];
  });
}

/** `/health` checks nothing; `/ready` names the failing part (contract §4.3). */
function installHealthRoutes(app: FastifyInstance, service: BackendService, faults: Faults): void {
  app.get('/health', (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/ready', (_request, reply) => {
    const readiness = readinessOf({ store: service.store, faults });
    if (readiness.status === 'not_ready') reply.code(503).header('retry-after', '1');
    return reply.send(readiness);
  });
  refuseOtherMethods(app, '/health', ['GET']);
  refuseOtherMethods(app, '/ready', ['GET']);
}

interface Readiness {
  status: 'ready' | 'not_ready';
  checks: Record<ServicePart, 'ok' | 'failed'>;
}

const probeHash = '0'.repeat(64);

function readinessOf({ store, faults }: { store: BackendStore; faults: Faults }): Readiness {
  const checkPart = (part: ServicePart, work: () => unknown): 'ok' | 'failed' =>
    faults.isFailing(part) || !tryRun(work) ? 'failed' : 'ok';
  const checks = {
    oauth_storage: checkPart('oauth_storage', () => store.oauth.find('Grant', probeHash)),
    durable_storage: checkPart('durable_storage', store.probe),
  };
  const isReady = Object.values(checks).every((check) => check === 'ok');
  return { status: isReady ? 'ready' : 'not_ready', checks };
}

function tryRun(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
