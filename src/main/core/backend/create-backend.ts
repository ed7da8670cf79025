import { openLoopbackListener } from '#core/platform/loopback/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { DisposableStack } from '#core/platform/disposable.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import { openBackendStore } from '#core/store/backend/index.ts';
import { authenticate } from './auth/authenticate.ts';
import { createMemberTokens } from './auth/member-token.ts';
import { issueDemoCredentials } from './demo-data/credentials.ts';
import type { DemoCredentials } from './demo-data/credentials.ts';
import { makeDemoData, usualCampaigns } from './demo-data/make-demo-data.ts';
import { createFaults } from './faults/faults.ts';
import type { Faults } from './faults/faults.ts';
import { createApp } from './http/create-app.ts';
import type { LoggedRequest } from './http/request-log.ts';
import { installMemberRoutes, memberBasePath } from './member/routes.ts';
import { tenants } from './tenants/index.ts';
import type { TenantId } from './tenants/index.ts';

/** How the embedded service is made. */
export interface BackendOptions {
  tenant: TenantId;
  /** Absolute path of its database; an empty one is filled with demo data. */
  file: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  faults?: Faults;
  /** How many demo campaigns the buyer has; counts on the first start only. */
  campaigns?: number;
  /** 0, the default, takes any free port. */
  port?: number;
}

/** One tenant's embedded service on one loopback listener. Whoever made it disposes it. */
export interface Backend extends AsyncDisposable {
  /** Starts to answer; fails with `port_taken`. `baseUrl` is `{base_url}` of the contract. */
  listen(): Promise<{ baseUrl: string; port: number }>;
  /** Fresh credentials of the demo accounts; they end with this process or after 12 hours. */
  issueDemoCredentials(): DemoCredentials;
  faults: Faults;
  /** The latest requests that passed the guards, without credentials and queries. */
  requestLog(): LoggedRequest[];
  /** Where a damaged database was moved at this start, or null. */
  setAside: string | null;
}

/** Opens the database, fills it on its first start, and prepares the service (contract §4.1). Fails as `openDatabase`. */
export function createBackend(options: BackendOptions): Backend {
  const { file, clock, ids, logger } = options;
  const tenant = tenants[options.tenant];
  const faults = options.faults ?? createFaults();
  const disposables = new DisposableStack();
  const store = disposables.use(openBackendStore({ file, clock, logger }));
  if (store.read.isEmpty()) {
    makeDemoData(store, { tenant, nowMs: clock.nowMs(), campaigns: options.campaigns ?? usualCampaigns });
  }
  const tokens = createMemberTokens({ secret: ids.secret(), clock });
  const { app, log } = createApp({ faults, logger });
  disposables.defer(() => app.close());
  const who = { tokens, tenant: tenant.id };
  installMemberRoutes(app, {
    store,
    context: store.read.tenant(),
    authenticate: (request) => authenticate(request.raw, who),
  });
  return {
    async listen() {
      await app.ready();
      const listener = disposables.use(
        await openLoopbackListener({ port: options.port ?? 0, logger, handler: app.routing }),
      );
      return { baseUrl: `${listener.origin}${memberBasePath}`, port: listener.port };
    },
    issueDemoCredentials: () => issueDemoCredentials(tenant.id, tokens),
    faults,
    requestLog: () => log.entries(),
    setAside: store.setAside,
    dispose: () => disposables.dispose(),
  };
}
