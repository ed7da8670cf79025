export { findChapters, GuideView } from './guide-view.tsx';
