import { createUiStore } from './ui-store.ts';

export { isTraining } from '#renderer/api/place.ts';
export { columnLimits, panelLimits } from './preferences.ts';
export type { Density, Preferences, Theme } from './preferences.ts';
export { newProfile, routeHref } from './route.ts';
export type { Route } from './route.ts';
export type { FocusPlace, Overlay, UiState, UiStore } from './ui-store.ts';

/** The page's own store: route, taste, what floats. */
export const uiStore = createUiStore(localStorage);
