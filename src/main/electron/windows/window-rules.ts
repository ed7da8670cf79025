import type { ProfileView } from '#shared/app-api/index.ts';
import type { PagePlace } from '#shared/host-api/index.ts';

/**
 * Returns the title of a window, with the profile whose money is at stake: the system's switcher and taskbar show it. In training
 * there is none, and the title says so first.
 */
export function windowTitle(
  place: PagePlace,
  profile: Pick<ProfileView, 'kind' | 'name'> | null,
  about = 'Countersign',
): string {
  if (place === 'training') return ['TRAINING', about].join(' · ');
  const whose = profile === null ? [] : [profile.kind === 'live' ? 'LIVE' : 'Demo', profile.name];
  return [...whose, about].join(' · ');
}

/** The colour of a window before its page has painted: the frame's of the tokens file, so that nothing flashes. */
export function windowColour(dark: boolean): string {
  return dark ? '#0e1116' : '#f4f5f8';
}

/**
 * The effect of closing the app's window: what the person has chosen (null for nothing), else what is usual. Where every desktop has a tray or a dock the app stays, so that proposals still
 * reach a person; many Linux desktops show no tray, and an app without a window or tray could not be found again.
 */
export function closeMeans(platform: NodeJS.Platform, staysInTray: boolean | null): 'quit' | 'hide' {
  const stays = staysInTray ?? (platform === 'darwin' || platform === 'win32');
  return stays ? 'hide' : 'quit';
}

/** Crashes further apart than this have nothing to do with one another, in milliseconds. */
const togetherMs = 60_000;

const pauseMs = 1_000;

export type AfterCrash = { kind: 'reload'; afterMs: number } | { kind: 'ask' };

/** Decides about a page after its last crash: it is reloaded once by itself, then the user is asked. Crashes are listed oldest first. */
export function afterCrash(crashesAtMs: readonly number[]): AfterCrash {
  const last = crashesAtMs.at(-1) ?? 0;
  const together = crashesAtMs.filter((atMs) => last - atMs < togetherMs).length;
  return together <= 1 ? { kind: 'reload', afterMs: pauseMs } : { kind: 'ask' };
}
