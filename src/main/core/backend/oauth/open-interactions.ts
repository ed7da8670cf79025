import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import { isSameSecret } from '#core/platform/same-secret.ts';

/** The pages that hold a form. */
export type FormPage = 'sign-in' | 'consent';

/** The interactions that are under way, in memory: after a restart people sign in again. */
export interface OpenInteractions {
  /** The account that signed in for this interaction; null before that. */
  accountOf(id: string): number | null;
  /** Another account, or null for none. */
  setAccount(id: string, uid: number | null): void;
  /** A token for the page that is about to be shown; it replaces the one before. */
  offer(interaction: { id: string; expiresAtMs: number }, page: FormPage): string;
  /** True if this token is the latest of this interaction's page; it is then used up. */
  take(id: string, page: FormPage, token: string): boolean;
  forget(id: string): void;
}

interface Entry {
  uid: number | null;
  expiresAtMs: number;
  offered: { page: FormPage; token: string } | null;
}

/** Interactions that are remembered at once; the oldest give way and have to sign in again. */
const maxEntries = 500;

/** Keeps the interactions of one service. */
export function createOpenInteractions({ clock, ids }: { clock: Clock; ids: Ids }): OpenInteractions {
  const entries = new Map<string, Entry>();
  const makeRoom = (): void => {
    for (const [id, { expiresAtMs }] of entries) if (expiresAtMs <= clock.nowMs()) entries.delete(id);
    const [oldest] = entries.keys();
    if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest);
  };
  return {
    accountOf: (id) => entries.get(id)?.uid ?? null,
    setAccount(id, uid) {
      const entry = entries.get(id);
      if (entry !== undefined) entry.uid = uid;
    },
    offer({ id, expiresAtMs }, page) {
      const token = ids.secret();
      const known = entries.get(id);
      if (known === undefined) makeRoom();
      entries.set(id, { uid: known?.uid ?? null, expiresAtMs, offered: { page, token } });
      return token;
    },
    take(id, page, token) {
      const entry = entries.get(id);
      const offered = entry?.offered;
      if (entry === undefined || offered?.page !== page || !isSameSecret(token, offered.token)) return false;
      entry.offered = null;
      return true;
    },
    forget: (id) => void entries.delete(id),
  };
}
