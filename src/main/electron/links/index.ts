export { createLinks } from './create-links.ts';
export type { Links } from './link-guard.ts';
