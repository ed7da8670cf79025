import { useSyncExternalStore } from 'react';
import { type HomeRoute, parseHomeRoute } from '#renderer/stores/training/index.ts';

function follow(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

/** The route of the address bar. */
export function useHomeRoute(): HomeRoute {
  return parseHomeRoute(useSyncExternalStore(follow, () => location.hash));
}
