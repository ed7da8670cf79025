declare module 'virtual:guide' {
  import type { GuideChapter } from '#shared/guide/index.ts';

  /** The chapters of `docs/guide`, made by the build (scripts/lib/guide). */
  export const chapters: readonly GuideChapter[];
}
