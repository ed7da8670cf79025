import type { PagePlace } from '#shared/host-api/index.ts';

/**
 * Place of this page. Its host says so in its markup (`markPlace`), before anything of it runs: no answer, setting or name of a
 * profile can turn one place into the other.
 */
export function placeOfPage(): PagePlace {
  return document.documentElement.dataset['place'] === 'training' ? 'training' : 'work';
}

export const isTraining = (): boolean => placeOfPage() === 'training';
