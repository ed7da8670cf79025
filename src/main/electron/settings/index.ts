export type { Settings, SettingsStore } from './settings.ts';
export { openSettings } from './open-settings.ts';
