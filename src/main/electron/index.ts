export { startDesktop } from './start-desktop.ts';
export type { DesktopParts } from './start-desktop.ts';
export { systemParts } from './system-parts.ts';
