export { createUploads } from './uploads.ts';
export type { Uploads } from './uploads.ts';
