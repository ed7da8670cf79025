export { nativeSaveDialog } from './native-save-dialog.ts';
export { createSaver } from './saver.ts';
export type { Saver } from './saver.ts';
