import { entryBy, type Ledger, type NewEntry } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AdministratorPolicy } from '#system/policy/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createListeners } from '#shared/lib/listeners.ts';
import { sentence } from '#shared/lib/sentence.ts';

type FreezeReason = 'person' | 'restored';

interface FreezeOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  clock: Clock;
  policy: Pick<AdministratorPolicy, 'assertUsable'>;
  onChange(): void;
}

const setting = 'agents.frozen';
const thawed = '';

export type Freeze = ReturnType<typeof createFreeze>;

export function createFreeze(options: FreezeOptions) {
  const { store, ledger, clock, policy, onChange } = options;
  const freezes = createListeners<void>();
  /** Keeps the freeze in force even if the disk refuses it. */
  let heldSinceMs: number | null = null;
  /** By the monotonic clock: the time of day may be set back between an approval and a freeze. */
  let latestMs = Number.NEGATIVE_INFINITY;

  function recordedSinceMs(): number | null {
    const stored = store.settings.get(setting) ?? thawed;
    if (stored === thawed) return null;
    const atMs = Number(stored);
    // An unreadable value still means frozen.
    return Number.isFinite(atMs) ? atMs : 0;
  }

  const sinceMs = (): number | null => recordedSinceMs() ?? heldSinceMs;

  function record(value: string, entry: NewEntry): void {
    store.transaction(() => {
      store.settings.set(setting, value);
      ledger.append(entry);
      store.afterCommit(onChange);
    });
  }

  return {
    sinceMs,
    /** Fails with `storage_failed` or `ledger_broken` if the freeze cannot be recorded. It is then in force until the app ends. */
    freeze(because: FreezeReason = 'person'): void {
      latestMs = clock.monotonicMs();
      heldSinceMs ??= clock.nowMs();
      const atMs = heldSinceMs;
      store.transaction(() => {
        if (recordedSinceMs() === null) record(String(atMs), frozenEntries[because]);
        store.afterCommit(freezes.emit);
      });
    },
    thaw(): void {
      if (sinceMs() === null) return;
      record(thawed, thawedEntry);
      heldSinceMs = null;
    },
    /** Fails with `agents_frozen`, also if a freeze after `momentMs` (monotonic) has been lifted, or with `policy_unusable`. */
    assertThawed(momentMs = Number.POSITIVE_INFINITY): void {
      policy.assertUsable();
      if (sinceMs() !== null || latestMs >= momentMs) throw new AppError('agents_frozen');
    },
    onFrozen: freezes.add,
    /** Ends the agents' waiting work at the start: the program may have crashed between the freeze and that. */
    recover(): void {
      if (sinceMs() !== null) store.transaction(() => store.afterCommit(freezes.emit));
    },
  };
}

const kind = 'agents.frozen';
const body = {};

const frozenEntries: Record<FreezeReason, NewEntry> = {
  person: entryBy('You', { kind, summary: sentence`Froze all agents: nothing of theirs passes`, body }),
  restored: entryBy('Countersign', {
    kind,
    summary: sentence`Froze all agents, because a backup was restored: nothing of theirs passes`,
    body,
  }),
};

const thawedEntry = entryBy('You', {
  kind: 'agents.thawed',
  summary: sentence`Let agents work again`,
  body,
});
