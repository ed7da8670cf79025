import { entryBy, type Ledger } from '#core/ledger/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { waitingMinutesSchema } from '#shared/app-api/index.ts';
import { usualWaitingMinutes, waitingTimeText } from '#shared/proposals/waiting-time.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** How long a change waits for a decision, for all profiles and proposers. */
export interface WaitingTime {
  minutes(): number;
  /** Applies to later proposals; on record. Fails as the ledger does, and throws for minutes outside the limits of the app API. */
  set(minutes: number): void;
}

const setting = 'proposals.waitingMinutes';

export function createWaitingTime(options: {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  onChange(): void;
  formats(): Formats;
}): WaitingTime {
  const { store, ledger, onChange, formats } = options;

  function minutes(): number {
    const stored = waitingMinutesSchema.safeParse(Number(store.settings.get(setting) ?? usualWaitingMinutes));
    return stored.success ? stored.data : usualWaitingMinutes;
  }

  return {
    minutes,
    set(wanted) {
      const after = waitingMinutesSchema.parse(wanted);
      const before = minutes();
      if (after === before) return;
      store.transaction(() => {
        store.settings.set(setting, String(after));
        ledger.append(
          entryBy('You', {
            kind: 'waiting.changed',
            summary: sentence`Changes wait ${ownWords(waitingTimeText(after, formats()))} for a decision`,
            body: { beforeMinutes: before, afterMinutes: after },
          }),
        );
        store.afterCommit(onChange);
      });
    },
  };
}
