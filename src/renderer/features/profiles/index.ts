export { ProfilesView } from './profiles-view.tsx';
