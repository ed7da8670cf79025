import type { Confirmer } from '#shared/host-api/index.ts';
import type { Backend, Faults } from '../backend/index.ts';
import type { Clock, MovableClock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { Uptime } from '../platform/limit-clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { PolicyPlace } from '#system/policy/index.ts';
import type { PictureNetwork } from '../pictures.ts';
import type { SystemNetwork } from '../service-client/index.ts';
import type { ShownFormats } from '#shared/lib/formats.ts';

export interface ComposeOptions extends CoreSettings {
  host: 'desktop' | 'browser' | 'terminal';
  /** The only source of the user's decisions. */
  confirmer: Confirmer;
  /** 32 bytes that seal the stored secrets. */
  dataKey: Buffer;
}

export interface CoreSettings {
  /** Absolute path. Created if missing, and locked until dispose. */
  dataFolder: string;
  version: string;
  /** Opens an authorization address in the system's browser. Default: no browser opens. */
  openLink?(address: string): Promise<boolean>;
  /** The system's network settings for all requests of this process. `setSystemNetwork` has the defaults. */
  network?: Partial<SystemNetwork>;
  /** Location of the administrator's policy file. Default: the system location. Null for no policy, as in training. */
  policyPlace?: PolicyPlace | null;
  followedFormats?(): ShownFormats;
  logger?: Logger;
  clock?: Clock;
  /** The uptime of the machine. Default: the system's, or the time of `clock` if that is given. */
  uptime?: Uptime;
  /** The clock of the embedded service's schedules, sign-ins and days, for training. The core's own limits use `clock`. */
  serviceClock?: MovableClock;
  ids?: Ids;
  faults?: Faults;
  timeouts?: { requestMs: number };
  pictureNetwork?: Partial<PictureNetwork>;
  offersFirstStart?: boolean;
  demoCampaigns?: number;
  /** Makes Demo the only possible profile, under this name, on every host. */
  onlyProfile?: string;
  /**
   * Resets the host's own data before a deletion. Resolves with the new
   * data key, or null if unchanged. Must not fail; may be called again.
   */
  resetHost?(): Promise<Buffer | null>;
  /** Restarts the core on the changed data folder. Default: the change waits for the next start. */
  restartCore?: () => void;
  /** Receives the embedded service and its `{base_url}`, for tests and training that inspect the service. */
  onDemoService?(service: Backend, baseUrl: string): void;
}
