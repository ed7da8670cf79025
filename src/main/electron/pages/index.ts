export { clearPages, declareSchemes, partitions, servePages } from './serve-pages.ts';
