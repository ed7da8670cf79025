import { createUiStore } from './ui/ui-store.ts';

export { isTraining } from '#renderer/api/bridge.ts';

export const uiStore = createUiStore(localStorage);
