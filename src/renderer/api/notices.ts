export interface Notice {
  name: string;
  version: string;
  identifier: string;
  text: string;
}

/** The build creates this file (scripts/lib/notices.ts). */
const made = '/notices.js';

/** Null on pages of the development server, which has no such file. */
export async function loadNotices(): Promise<Notice[] | null> {
  try {
    const { notices } = (await import(/* @vite-ignore */ made)) as { notices: Notice[] };
    return notices;
  } catch {
    return null;
  }
}
