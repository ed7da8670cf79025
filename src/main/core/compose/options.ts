import type { Confirmer } from '#shared/host-api/index.ts';
import type { Backend, Faults } from '../backend/index.ts';
import type { Clock, MovableClock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { Uptime } from '../platform/limit-clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { PolicyPlace } from '#system/policy/index.ts';
import type { PictureNetwork } from '../pictures.ts';
import type { SystemNetwork } from '../service-client/index.ts';
import type { ShownFormats } from '#shared/lib/shown-formats.ts';

export interface ComposeOptions extends CoreSettings {
  host: 'desktop' | 'browser' | 'terminal';
  /** The only source of the user's decisions. */
  confirmer: Confirmer;
  /** 32 bytes that seal the secrets at rest. */
  dataKey: Buffer;
}

export interface CoreSettings {
  /** Absolute path; made where needed, and locked until dispose. */
  dataFolder: string;
  version: string;
  /** Hands an authorization address to the system's browser; without it no browser opens. */
  openLink?(address: string): Promise<boolean>;
  /** The system's settings of the network, for every request of this process; see `setSystemNetwork` for the usual ones. */
  network?: Partial<SystemNetwork>;
  /** The file of the administrator's policy; by default the usual one. Null for a core without a policy, as in training. */
  policyPlace?: PolicyPlace | null;
  /** The formats of the real app, which a workspace of training follows; by default the usual ones. */
  followedFormats?(): ShownFormats;
  logger?: Logger;
  clock?: Clock;
  /** The uptime of the machine; by default the system's, or the time of another `clock`. */
  uptime?: Uptime;
  /** The clock of the embedded service, for training: its schedules, sign-ins and days follow it. The core's own limits use `clock`. */
  serviceClock?: MovableClock;
  ids?: Ids;
  faults?: Faults;
  timeouts?: { requestMs: number };
  pictureNetwork?: Partial<PictureNetwork>;
  /** Offers the first start screen to the app's page until it was seen; without it none is offered. */
  offersFirstStart?: boolean;
  demoCampaigns?: number;
  /** Makes Demo the only profile that there can be, under this name, on every host. */
  onlyProfile?: string;
  /** Has the host reset its own data before a deletion. Resolves to the new data key, null if unchanged. Never fails; may be repeated. */
  resetHost?(): Promise<Buffer | null>;
  /** Has the core end and begin again on what the data folder is then; without it that waits for the next start. */
  beginAgain?: () => void;
  /** Hands out the embedded service and its `{base_url}`, for tests and training that look at it from the other side. */
  onDemoService?(service: Backend, baseUrl: string): void;
}
