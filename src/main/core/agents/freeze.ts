import type { Ledger, NewEntry } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AdministratorPolicy } from '#system/policy/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createListeners } from '#shared/lib/listeners.ts';
import { sentence } from '#shared/lib/sentence.ts';

export type FreezeReason = 'person' | 'restored';

export interface Freeze {
  sinceMs(): number | null;
  /**
   * Nothing of any agent passes from now on. Fails with `storage_failed` or `ledger_broken` where that cannot be put on
   * record; it holds until the app ends then, too.
   */
  freeze(because?: FreezeReason): void;
  /** Fails as `freeze`; then agents stay frozen. */
  thaw(): void;
  /**
   * Fails with `agents_frozen`; also where a freeze came after that moment of the monotonic clock and was lifted since. While the
   * administrator's policy cannot be used, fails with `policy_unusable`: what it limits is not known.
   */
  assertThawed(sinceMs?: number): void;
  /**
   * Calls with every freeze that is on record, a repeated one included: what agents have waiting ends now. Returns the unsubscribe
   * function.
   */
  onFrozen(listener: () => void): () => void;
  /** At a start: a crash may have come between a freeze and the end of what agents had waiting. */
  recover(): void;
}

export interface FreezeOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  clock: Clock;
  policy: Pick<AdministratorPolicy, 'assertUsable'>;
  onChange(): void;
}

const setting = 'agents.frozen';
const thawed = '';

export function createFreeze(options: FreezeOptions): Freeze {
  const { store, ledger, clock, policy, onChange } = options;
  const freezes = createListeners<void>();
  /** Holds where the disk does not take it. */
  let heldSinceMs: number | null = null;
  /** The latest freeze, by the monotonic clock: the time of day may be set back between an approval and a freeze. */
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
    freeze(because = 'person') {
      latestMs = clock.monotonicMs();
      heldSinceMs ??= clock.nowMs();
      const atMs = heldSinceMs;
      store.transaction(() => {
        if (recordedSinceMs() === null) record(String(atMs), frozenEntries[because]);
        store.afterCommit(freezes.emit);
      });
    },
    thaw() {
      if (sinceMs() === null) return;
      record(thawed, thawedEntry);
      heldSinceMs = null;
    },
    assertThawed(momentMs = Number.POSITIVE_INFINITY) {
      policy.assertUsable();
      if (sinceMs() !== null || latestMs >= momentMs) throw new AppError('agents_frozen');
    },
    onFrozen: freezes.add,
    recover() {
      if (sinceMs() !== null) store.transaction(() => store.afterCommit(freezes.emit));
    },
  };
}

const byYou = { proposalId: null, actor: 'You', via: null, body: {} };

const frozenEntries: Record<FreezeReason, NewEntry> = {
  person: { ...byYou, kind: 'agents.frozen', summary: sentence`Froze all agents: nothing of theirs passes` },
  restored: {
    ...byYou,
    kind: 'agents.frozen',
    actor: 'Countersign',
    summary: sentence`Froze all agents, because a backup was restored: nothing of theirs passes`,
  },
};

const thawedEntry: NewEntry = {
  ...byYou,
  kind: 'agents.thawed',
  summary: sentence`Let agents work again`,
};
