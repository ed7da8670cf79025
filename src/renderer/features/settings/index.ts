export { SettingsView } from './settings-view.tsx';
export { SupportButton } from './support-bundle.tsx';
