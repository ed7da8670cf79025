export { createOperationRows } from './operation-rows.ts';
export { createPictureRows } from './picture-rows.ts';
export type { ApprovalRow, OperationRow, OperationRows, Picture, PictureRows } from './types.ts';
