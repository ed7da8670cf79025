import type { Route } from '../wire/router.ts';

/** Which of the two origins a page stands on: the app's, or the confirmation's. */
export type PageRole = 'app' | 'confirm';

/** Where pages come from, the build or the development server: the route that serves one origin's page and its files. */
export type PageSource = (role: PageRole) => Route;

/** Each origin has its own page at `/` and does not serve the other's. */
export const entryOf: Record<PageRole, string> = { app: '/index.html', confirm: '/confirm.html' };
