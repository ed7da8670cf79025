import { type LessonId, lessonIds } from '#shared/training/index.ts';

export type HomeRoute =
  | { page: 'missions' }
  | { page: 'lessons' }
  | { page: 'lesson'; lesson: LessonId }
  | { page: 'progress' }
  | { page: 'attempt'; id: string }
  | { page: 'results' };

export function homeHref(route: HomeRoute): string {
  if (route.page === 'lesson') return `#/lessons/${route.lesson}`;
  if (route.page === 'attempt') return `#/attempts/${encodeURIComponent(route.id)}`;
  return `#/${route.page}`;
}

/** An unknown route shows the list of missions. */
export function parseHomeRoute(hash: string): HomeRoute {
  const [page = '', part = ''] = hash.replace(/^#?\/?/u, '').split('/');
  if (page === 'lessons') return isLesson(part) ? { page: 'lesson', lesson: part } : { page: 'lessons' };
  if (page === 'attempts' && part !== '') return attemptAt(part);
  if (page === 'progress' || page === 'results') return { page };
  return { page: 'missions' };
}

function isLesson(part: string): part is LessonId {
  return lessonIds.some((lesson) => lesson === part);
}

function attemptAt(part: string): HomeRoute {
  try {
    return { page: 'attempt', id: decodeURIComponent(part) };
  } catch {
    return { page: 'progress' };
  }
}
