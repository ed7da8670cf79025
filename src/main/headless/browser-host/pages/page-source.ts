import type { PageRole } from '#shared/host-api/index.ts';
import type { Route } from '../wire/router.ts';

/** Where pages come from, the build or the development server: the route that serves one origin's page and its files. */
export type PageSource = (role: PageRole) => Route;
