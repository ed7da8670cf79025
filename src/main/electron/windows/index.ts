export { createAppWindow } from './app-window.ts';
export type { AppWindow, AppWindowOptions } from './app-window.ts';
export { ignoreHints, setUpGuards } from './guards.ts';
export { createLinkGuard } from './links.ts';
export type { Links, LinksOptions } from './links.ts';
export { securePreferences } from './page-rules.ts';
export { living, openingPlace, rememberPlace, windowIcon } from './window-frame.ts';
export { closeMeans, windowColour, windowTitle } from './window-rules.ts';
