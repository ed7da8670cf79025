import type { ProfileView } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';

/** The reason if no live profile can be added in this host. */
export const liveElsewhere = 'Live profiles work in the desktop app only.';

/** The title of the document, its profile first. */
export function windowTitle(profile: Pick<ProfileView, 'kind' | 'name'> | undefined): string {
  if (!profile) return 'Countersign';
  return `${profile.kind === 'live' ? 'LIVE' : 'Demo'} · ${quoted(profile.name)} — Countersign`;
}
