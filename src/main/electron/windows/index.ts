export { createAppWindow } from './app-window.ts';
export type { AppWindow, AppWindowOptions } from './app-window.ts';
export { closeNetwork, setUpGuards } from './guards.ts';
export { openingPlace, rememberPlace } from './remembered-place.ts';
export { setUpSecondStarts } from './second-starts.ts';
export { securePreferences } from './secure-preferences.ts';
export { windowColour } from './window-colour.ts';
export { windowIcon } from './window-icon.ts';
export { windowTitle } from './window-title.ts';
