import type { CoreState } from '#shared/host-api/index.ts';
import type { EncodedError } from '#shared/errors/index.ts';

/** From the first crash until the core is ready again. */
export type Outage = Omit<Extract<CoreState, { kind: 'restarting' }>, 'kind'>;

/** Where a core stands in its life. `crashes` counts those in a row. */
export type CoreLife =
  /** Nobody has asked for one. */
  | { kind: 'idle' }
  /** A process is there and is not ready; without an outage it is a first start, on which asks wait. */
  | { kind: 'starting'; crashes: number; outage: Outage | null }
  | { kind: 'ready'; crashes: number }
  /** No process: the next one is due at the time in the outage. */
  | { kind: 'resting'; crashes: number; outage: Outage }
  /** Only a person can go on; the process may still be on its way out. */
  | { kind: 'stopped'; sinceMs: number; failure: EncodedError; hasProcess: boolean }
  /** A person went on before the process that failed was gone: there is only ever one. */
  | { kind: 'clearing' }
  | { kind: 'quitting'; shown: CoreState }
  | { kind: 'gone'; shown: CoreState };

/** What pages and windows are told. While the program quits that is what was true last. */
export function shownState(life: CoreLife): CoreState {
  switch (life.kind) {
    case 'idle':
    case 'clearing':
      return { kind: 'starting' };
    case 'starting':
      return life.outage === null ? { kind: 'starting' } : { kind: 'restarting', ...life.outage };
    case 'ready':
      return { kind: 'ready' };
    case 'resting':
      return { kind: 'restarting', ...life.outage };
    case 'stopped':
      return { kind: 'stopped', sinceMs: life.sinceMs, failure: life.failure };
    case 'quitting':
    case 'gone':
      return life.shown;
  }
}

/** What becomes of a request that comes now: sent, kept until the core is ready, or refused. */
export function askMeans(life: CoreLife): 'send' | 'wait' | 'refuse' {
  if (life.kind === 'ready') return 'send';
  const isFirstStart = life.kind === 'starting' && life.outage === null;
  return isFirstStart || life.kind === 'idle' || life.kind === 'clearing' ? 'wait' : 'refuse';
}
