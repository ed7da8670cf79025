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
    /** Where the scenarios run; said by the project. */
    host: 'browser' | 'desktop';
  }
}

/** A running app with everything around it that a scenario needs. Ends by itself with the test. */
export interface Session {
  app: AppDriver;
  /** Faults to set in the service. */
  faults: Faults;
  /** A second user of the same account. */
  second: SecondClient;
  /** Complaints of the pages: errors, refused resources, requests to elsewhere. */
  complaints(): Promise<string[]>;
  /** The core goes away and does not come back. */
  loseCore(): Promise<void>;
  /** The core ends as it does at quit, and another one starts on the same data; `meanwhile` runs between them. */
  restartCore(meanwhile?: () => void): Promise<AppDriver>;
  /** Where the app keeps its data. */
  dataFolder: string;
  /** Opens training as the app's page does, and gives its page. */
  startTraining(): Promise<AppDriver>;
}

export interface SessionOptions {
  /** Faults of the service from its first request on. */
  faults?: readonly Fault[];
  requestMs?: number;
  demoCampaigns?: number;
  colorScheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
  /** Welcomes the person; without it no test begins with that screen. */
  offersFirstStart?: boolean;
  /** The core's clock; the pages keep the machine's. */
  clock?: Clock;
  /** Parts of training, which is opened by `startTraining`. */
  training?: Pick<ComposeTrainingOptions, 'planMission' | 'demoCampaigns'>;
}

/** A running app whose core is killed in the middle of a write. */
export interface MortalSession {
  app: AppDriver;
  /** Resolves when the process with the core in it is gone. */
  died(): Promise<void>;
  /** The app with a core that lives, on the same data. */
  back(): Promise<AppDriver>;
}

/** When the core of a mortal session is killed: after the service stored the change, or before. */
export type Death = 'before-stored' | 'after-stored';

export interface Sessions {
  startSession(options?: SessionOptions): Promise<Session>;
  /** The core runs in a process of its own, which gets SIGKILL between the intent and the answer of its first write. */
  startMortalSession(death: Death): Promise<MortalSession>;
}

/** Prepares what the sessions of a test file share, on the host of its project. Call once, beside the tests. */
export function prepareSessions(choice: ChromiumChoice = {}): Sessions {
  return inject('host') === 'desktop' ? prepareDesktopSessions() : prepareBrowserSessions(choice);
}
