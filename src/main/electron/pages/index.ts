export { declareSchemes, partitions, servePages } from './serve-pages.ts';
