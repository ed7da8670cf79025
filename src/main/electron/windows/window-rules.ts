import type { ProfileView } from '#shared/app-api/index.ts';

/** Whose money a window is about, in the words of its frame: what the switcher and the taskbar of the system show. */
export function windowTitle(profile: Pick<ProfileView, 'kind' | 'name'> | null, about?: string): string {
  const whose = profile === null ? [] : [profile.kind === 'live' ? 'LIVE' : 'Demo', profile.name];
  return [...whose, about ?? 'Countersign'].join(' · ');
}

/** What a window shows before its page has painted: the frame's colour of the tokens file, so that nothing flashes. */
export function windowColour(dark: boolean): string {
  return dark ? '#0e1116' : '#f4f5f8';
}

/**
 * What closing the app's window means. Where every desktop has a tray or a dock the app stays, so that proposals still
 * reach a person; many Linux desktops show no tray, and an app without a window or tray could not be found again.
 */
export function closeMeans(platform: NodeJS.Platform): 'quit' | 'hide' {
  return platform === 'darwin' || platform === 'win32' ? 'hide' : 'quit';
}

/** Crashes further apart than this have nothing to do with one another, in milliseconds. */
const togetherMs = 60_000;

const pauseMs = 1_000;

export type AfterCrash = { kind: 'reload'; afterMs: number } | { kind: 'ask' };

/** What follows the last of these crashes of a page: once it is loaded again by itself, then a person is asked. Oldest first. */
export function afterCrash(crashesAtMs: readonly number[]): AfterCrash {
  const last = crashesAtMs.at(-1) ?? 0;
  const together = crashesAtMs.filter((atMs) => last - atMs < togetherMs).length;
  return together <= 1 ? { kind: 'reload', afterMs: pauseMs } : { kind: 'ask' };
}
