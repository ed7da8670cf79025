import type { EditorState } from './editor-state.ts';

/** True while a campaign holds edits that were not proposed as they stand. */
export function hasUnsavedEdits({ campaigns }: Pick<EditorState, 'campaigns'>): boolean {
  return Object.values(campaigns).some(
    ({ draft, proposedId }) => proposedId === null && Object.keys(draft).length > 0,
  );
}
