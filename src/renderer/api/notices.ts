export interface Notice {
  name: string;
  version: string;
  identifier: string;
  text: string;
}

/** Made by the build beside the pages (scripts/lib/notices.ts), and loaded only where it is read. */
const made = '/notices.js';

/** Loads the licence notices of everything that this build contains. Null where there is none: pages of a development server. */
export async function loadNotices(): Promise<Notice[] | null> {
  try {
    const { notices } = (await import(/* @vite-ignore */ made)) as { notices: Notice[] };
    return notices;
  } catch {
    return null;
  }
}
