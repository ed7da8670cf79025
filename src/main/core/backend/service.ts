import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { BackendStore } from '#core/store/backend/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import type { Tenant } from './tenants.ts';

/** The parts that all of one tenant's service works with. */
export interface BackendService {
  store: BackendStore;
  tenant: Tenant;
  /** The tenant's types and settings; they do not change while it runs. */
  context: CampaignContext;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}
