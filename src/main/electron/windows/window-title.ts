import type { ProfileView } from '#shared/app-api/index.ts';

/** Whose money a window is about, in the words of its frame: what the switcher and the taskbar of the system show. */
export function windowTitle(profile: Pick<ProfileView, 'kind' | 'name'> | null, about?: string): string {
  const whose = profile === null ? [] : [profile.kind === 'live' ? 'LIVE' : 'Demo', profile.name];
  return [...whose, about ?? 'Countersign'].join(' · ');
}
