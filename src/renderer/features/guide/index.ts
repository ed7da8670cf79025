export { findChapters } from './chapters.ts';
export { GuideView } from './guide-view.tsx';
