import { desktopHost } from './desktop-host.ts';

/** Puts a text on the clipboard, as the host allows it. Fails where neither the host nor the browser does. */
export async function copyText(text: string): Promise<void> {
  if (desktopHost) await desktopHost.copyText(text);
  else await navigator.clipboard.writeText(text);
}
