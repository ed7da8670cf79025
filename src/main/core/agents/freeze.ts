import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AppStore } from '#core/store/app/index.ts';

/** Whether agents may do anything at all. Survives a restart. */
export interface Freeze {
  /** When everything was frozen, or null. */
  sinceMs(): number | null;
  freeze(): void;
  thaw(): void;
  /** Fails with `agents_frozen`. */
  assertThawed(): void;
}

export interface FreezeOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  clock: Clock;
  onChange(): void;
}

export function createFreeze(_options: FreezeOptions): Freeze {
  return { sinceMs: () => null, freeze() {}, thaw() {}, assertThawed() {} };
}
