import { createUiStore } from './ui/ui-store.ts';

export { isTraining } from '#renderer/api/place.ts';

/** The page's own store: route, taste, what floats. */
export const uiStore = createUiStore(localStorage);
