import type { PagePlace } from '#shared/host-api/index.ts';

/** The host writes the place into the markup before the page runs, so no answer or setting can change it. */
export function placeOfPage(): PagePlace {
  return document.documentElement.dataset['place'] === 'training' ? 'training' : 'work';
}

export const isTraining = (): boolean => placeOfPage() === 'training';
