import { createStore } from 'zustand/vanilla';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { copyText } from '#renderer/api/host-services.ts';
import { loadNotices, type Notice } from '#renderer/api/notices.ts';
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
