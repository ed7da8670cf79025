export { createAwaitTool } from './await-tool.ts';
export { createNoteTool } from './note-tool.ts';
export { createNotes } from './notes.ts';
export type { Notes } from './notes.ts';
export type { OwnTool } from './own-tool.ts';
