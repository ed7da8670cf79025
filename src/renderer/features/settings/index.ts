export { SettingsView } from './settings-view.tsx';
export { SupportButton } from './data-cards.tsx';
export { UpdatesPart } from './updates-part.tsx';
