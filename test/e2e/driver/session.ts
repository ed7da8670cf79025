import { inject } from 'vitest';
import type { Fault, Faults } from '#core/backend/index.ts';
import type { ComposeTrainingOptions } from '#core/compose/training.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AppDriver } from './app.ts';
import type { ChromiumChoice } from './chromium.ts';
import { prepareBrowserSessions } from './browser/sessions.ts';
import { prepareDesktopSessions } from './desktop/sessions.ts';
import type { SecondClient } from './second-client.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The host of the scenarios, provided by the Vitest project. */
    host: 'browser' | 'desktop';
  }
}

/** A running app with everything that a scenario needs. It ends with the test. */
export interface Session {
  app: AppDriver;
  /** Sets faults in the service. */
  faults: Faults;
  /** A second user of the account. */
  second: SecondClient;
  /** Complaints of the pages: errors, refused resources, and requests to other addresses. */
  complaints(): Promise<string[]>;
  /** Ends the core without a successor. */
  loseCore(): Promise<void>;
  /** Ends the core as at quit and starts another on the same data; `meanwhile` runs in between. */
  restartCore(meanwhile?: () => void): Promise<AppDriver>;
  /** The app's data folder. */
  dataFolder: string;
  /** Opens training as the app's page does, and returns its page. */
  startTraining(): Promise<AppDriver>;
}

export interface SessionOptions {
  /** Faults of the service from its first request on. */
  faults?: readonly Fault[];
  requestMs?: number;
  demoCampaigns?: number;
  colorScheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
  /** If true, the app shows its screen of the first start. The default is to skip it. */
  offersFirstStart?: boolean;
  /** The core's clock. The pages use the machine's clock. */
  clock?: Clock;
  /** Options of training, which `startTraining` opens. */
  training?: Pick<ComposeTrainingOptions, 'planMission' | 'demoCampaigns'>;
}

/** A running app whose core is killed during a write. */
export interface MortalSession {
  app: AppDriver;
  /** Resolves when the process with the core has ended. */
  died(): Promise<void>;
  /** Starts the app on the same data with a core that is not killed. */
  back(): Promise<AppDriver>;
}

/** When the core is killed: before or after the service has stored the change. */
export type Death = 'before-stored' | 'after-stored';

export interface Sessions {
  startSession(options?: SessionOptions): Promise<Session>;
  /**
   * Starts an app whose core runs in a process of its own. The process gets SIGKILL between the intent and the answer of its
   * first write.
   */
  startMortalSession(death: Death): Promise<MortalSession>;
}

/**
 * Prepares what the sessions of a test file share, on the host of its project. Call this once, at the top level of the file.
 */
export function prepareSessions(choice: ChromiumChoice = {}): Sessions {
  return inject('host') === 'desktop' ? prepareDesktopSessions() : prepareBrowserSessions(choice);
}
