import type { AppPreload } from '#shared/host-api/index.ts';

/** What the desktop host put into this page; null in every other host. */
export function appPreload(): AppPreload | null {
  return (globalThis as { countersign?: AppPreload }).countersign ?? null;
}
