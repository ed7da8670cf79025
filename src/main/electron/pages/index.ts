export { createPageAnswers } from './answer-page.ts';
export type { PageAnswer, PageFiles, PageRequest } from './answer-page.ts';
export { listBuiltFiles } from './built-files.ts';
export { partitions } from './partitions.ts';
export { declareSchemes, servePages } from './serve-pages.ts';
