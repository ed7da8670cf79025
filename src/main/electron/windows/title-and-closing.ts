import type { ProfileView } from '#shared/app-api/index.ts';
import type { PagePlace } from '#shared/host-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { Settings } from '../platform/settings.ts';

export function windowTitle(
  place: PagePlace,
  profile: Pick<ProfileView, 'kind' | 'name'> | null,
  about = 'Countersign',
): string {
  if (place === 'training') return ['TRAINING', about].join(' · ');
  const whose = profile === null ? [] : [profile.kind === 'live' ? 'LIVE' : 'Demo', quoted(profile.name)];
  return [...whose, about].join(' · ');
}

/** The background of a window before its page has painted. It equals the frame colour of the tokens file, so that nothing flashes. */
export function windowColour(dark: boolean): string {
  return dark ? '#0e1116' : '#f4f5f8';
}

/** The person's choice; else the app stays open where every desktop has a tray or dock. Many Linux desktops show none. */
export function closeMeans(platform: NodeJS.Platform, staysInTray: boolean | null): 'quit' | 'hide' {
  const stays = staysInTray ?? (platform === 'darwin' || platform === 'win32');
  return stays ? 'hide' : 'quit';
}

const togetherMs = 60_000;

const pauseMs = 1_000;

export type AfterCrash = { kind: 'reload'; afterMs: number } | { kind: 'ask' };

export function afterCrash(crashesAtMs: readonly number[]): AfterCrash {
  const last = crashesAtMs.at(-1) ?? 0;
  const together = crashesAtMs.filter((atMs) => last - atMs < togetherMs).length;
  return together <= 1 ? { kind: 'reload', afterMs: pauseMs } : { kind: 'ask' };
}

interface HideableWindow {
  isDestroyed(): boolean;
  isFullScreen(): boolean;
  setFullScreen(on: boolean): void;
  once(event: 'leave-full-screen', listener: () => void): unknown;
  hide(): void;
}

export interface HiddenPlace {
  message: string;
  detail: string;
}

const places: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'from the Dock or from its icon in the menu bar',
  win32: 'from its icon at the end of the taskbar, behind the arrow if it is not in sight',
};

function placeOn(platform: NodeJS.Platform): HiddenPlace {
  const where = places[platform] ?? 'from its icon in the tray';
  const detail = `Changes that wait for you still reach you. Its window opens again ${where}; the icon’s menu has Quit Countersign.`;
  return { message: 'Countersign keeps running', detail };
}

interface HidingOptions<W> {
  platform: NodeJS.Platform;
  settings: Pick<Settings, 'get' | 'set'>;
  explain(window: W, place: HiddenPlace): Promise<void>;
}

export function createHiding<W extends HideableWindow>({ platform, settings, explain }: HidingOptions<W>) {
  let isHiding = false;

  async function explainOnce(window: W): Promise<void> {
    if (settings.get('hidingExplained')) return;
    await explain(window, placeOn(platform));
    settings.set('hidingExplained', true);
  }

  return async (window: W): Promise<void> => {
    if (isHiding) return;
    isHiding = true;
    await explainOnce(window).finally(() => (isHiding = false));
    if (window.isDestroyed()) return;
    if (platform !== 'darwin' || !window.isFullScreen()) return window.hide();
    // On macOS, hiding a window in full screen would leave an empty black space.
    window.once('leave-full-screen', () => window.hide());
    window.setFullScreen(false);
  };
}
