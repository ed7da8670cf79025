export { partitions } from './partitions.ts';
export { declareSchemes, servePages } from './serve-pages.ts';
