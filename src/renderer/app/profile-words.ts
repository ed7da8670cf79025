import type { ProfileView } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';

export const liveElsewhere = 'Live profiles work in the desktop app only.';

export function windowTitle(profile: Pick<ProfileView, 'kind' | 'name'> | undefined): string {
  if (!profile) return 'Countersign';
  return `${profile.kind === 'live' ? 'LIVE' : 'Demo'} · ${quoted(profile.name)} — Countersign`;
}
