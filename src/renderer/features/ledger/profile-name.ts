import type { LedgerProfile } from '#shared/app-api/index.ts';

/** The profile's name; one that was removed before anything was proposed for it has none any more. */
export function profileName({ id, name }: LedgerProfile): string {
  return name ?? `Removed profile ${id.slice(-6)}`;
}
