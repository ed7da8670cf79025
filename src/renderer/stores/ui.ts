import { createUiStore } from './ui/ui-store.ts';

export { isTraining } from '#renderer/api/place.ts';

export const uiStore = createUiStore(localStorage);
