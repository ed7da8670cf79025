import { editorStore } from '#renderer/stores/editor/index.ts';
import { reviewStore } from '#renderer/stores/review/index.ts';

/** Makes a proposal of the draft and opens its confirmation. Nothing is sent from here. */
export async function proposeAndReview(cid: number): Promise<void> {
  const id = await editorStore.getState().propose(cid);
  if (id !== null) await reviewStore.getState().review(id);
}
