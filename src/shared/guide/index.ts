export { findInGuide, headingId, placeExists } from './guide.ts';
export type { GuideBlock, GuideChapter, GuideInline, GuidePlace, GuideSection } from './guide.ts';
