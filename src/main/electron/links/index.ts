export { checkExternalLink } from './check-external-link.ts';
export type { ExternalLink, LinkRefusal } from './check-external-link.ts';
export { createLinkGuard } from './link-guard.ts';
export type { Links, LinksOptions } from './link-guard.ts';
export { createLinks } from './create-links.ts';
