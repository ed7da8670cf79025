export { startDesktop, systemParts } from './start-desktop.ts';
export type { DesktopParts } from './start-desktop.ts';
