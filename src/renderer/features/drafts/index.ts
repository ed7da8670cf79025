export { DraftsView } from './drafts-view.tsx';
