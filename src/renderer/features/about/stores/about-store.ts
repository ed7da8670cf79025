import { createStore } from 'zustand/vanilla';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { copyText } from '#renderer/api/host-services.ts';
import type { Versions } from '#shared/host-api/index.ts';

export interface AboutState {
  /** Null until loaded. Always null in a browser. */
  versions: Versions | null;
  notices: readonly Notice[] | 'loading' | null;
  hasChromiumNotices: boolean;
  load: () => Promise<void>;
  copy: (text: string) => Promise<void>;
  openChromiumNotices: () => Promise<void>;
}

export const aboutStore = createStore<AboutState>((set) => ({
  versions: null,
  notices: 'loading',
  hasChromiumNotices: desktopHost !== null,
  async load() {
    const [found, notices] = await Promise.all([
      desktopHost?.ask('desktop.versions', {}) ?? null,
      loadNotices(),
    ]);
    set({ versions: found?.versions ?? null, notices });
  },
  copy: (text) => copyText(text),
  openChromiumNotices: async () => void (await desktopHost?.ask('desktop.openChromiumNotices', {})),
}));

interface Notice {
  name: string;
  version: string;
  identifier: string;
  text: string;
}

/** The build creates this file (scripts/lib/notices.ts). */
const made = '/notices.js';

/** Null on pages of the development server, because it has no such file. */
async function loadNotices(): Promise<Notice[] | null> {
  try {
    const { notices } = (await import(/* @vite-ignore */ made)) as { notices: Notice[] };
    return notices;
  } catch {
    return null;
  }
}
