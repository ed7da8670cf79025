import { rebased, withEdit, withoutEdit } from './draft.ts';
import { touched, type CampaignHandle, type DraftActions } from './editor-state.ts';

/** Typing, taking back, and settling what moved meanwhile. */
export function draftActions({ at, put }: CampaignHandle): DraftActions {
  return {
    edit(cid, field, typed) {
      const { detail, draft, refused } = at(cid);
      if (!detail) return;
      put(cid, {
        ...touched,
        draft: withEdit(draft, detail.edit.campaign, field, typed),
        refused: refused.filter((error) => error.field !== field),
      });
    },
    revert(cid, field) {
      const { draft, refused } = at(cid);
      put(cid, {
        ...touched,
        draft: withoutEdit(draft, field),
        refused: refused.filter((error) => error.field !== field),
      });
    },
    discard: (cid) => put(cid, { ...touched, draft: {}, refused: [] }),
    keepMine(cid) {
      const { detail, draft } = at(cid);
      if (detail) put(cid, { ...touched, draft: rebased(draft, detail.edit.campaign) });
    },
  };
}
