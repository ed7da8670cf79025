import { chapters } from 'virtual:guide';
import { findInGuide, type GuideChapter, type GuidePlace } from '#shared/guide/index.ts';

export { chapters };

/** The chapter of a place, or the first one. */
export function chapterOf(place: GuidePlace | null): GuideChapter | undefined {
  const id = place?.split('/')[0];
  return chapters.find((chapter) => chapter.id === id) ?? chapters[0];
}

/** The places of the guide that a search finds, best first. */
export const findChapters = (search: string, max: number): { place: GuidePlace; title: string }[] =>
  findInGuide(chapters, search, max);
