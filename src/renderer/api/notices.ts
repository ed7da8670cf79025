export interface Notice {
  name: string;
  version: string;
  identifier: string;
  text: string;
}

/** Made by the build (scripts/lib/notices.ts). */
const made = '/notices.js';

/** Null on pages of a development server. */
export async function loadNotices(): Promise<Notice[] | null> {
  try {
    const { notices } = (await import(/* @vite-ignore */ made)) as { notices: Notice[] };
    return notices;
  } catch {
    return null;
  }
}
