export { fileHead, fileLine, planFileRow, readTable } from './file-table.ts';
export type { FileFault, FileRow, FileTable } from './file-table.ts';
export type { DecimalMark } from './read-cell.ts';
