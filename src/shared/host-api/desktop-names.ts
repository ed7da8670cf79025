import type { DesktopRequest } from './desktop.ts';

/** The names of every desktop request, for the preload, which carries no schemas. A test compares them with `desktopApi`. */
export const desktopRequestNames = [
  'desktop.get',
  'desktop.retry',
  'desktop.keepSecrets',
  'desktop.openDataFolder',
  'desktop.copyDiagnostics',
  'desktop.copyText',
  'desktop.beginFile',
  'desktop.addToFile',
  'desktop.endFile',
  'desktop.setTheme',
] as const satisfies readonly DesktopRequest[];
