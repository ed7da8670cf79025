declare module 'virtual:guide' {
  import type { GuideChapter } from '#shared/guide/index.ts';

  /** Created by the build from `docs/guide` (scripts/lib/guide). */
  export const chapters: readonly GuideChapter[];
}
