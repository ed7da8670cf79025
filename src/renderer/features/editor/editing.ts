import {
  checkDraft,
  type CheckedDraft,
  type Draft,
  type EditableField,
  editorStore,
  shownText,
} from '#renderer/stores/editor/index.ts';
import { reviewStore } from '#renderer/stores/review/index.ts';
import type { CampaignDetail } from '#shared/app-api/index.ts';
import { type FieldLimit, fieldLimits, valueInWords } from '#shared/campaign/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import type { FieldError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** One campaign as the panel shows it: what was read, what was typed, and what is to be said at each field. */
export interface Editing {
  cid: number;
  campaign: JsonObject;
  context: CampaignContext;
  checked: CheckedDraft;
  limits: Record<string, FieldLimit>;
  /** The text in a field. */
  text: (field: EditableField) => string;
  edit: (field: EditableField, typed: string) => void;
  revert: (field: EditableField) => void;
  changed: (field: EditableField) => boolean;
  /** The stored value in words, for `was …`. */
  stored: (field: string) => string;
}

/** Puts a read campaign and its draft together. */
export function editing(detail: CampaignDetail, draft: Draft, refused: readonly FieldError[]): Editing {
  const { campaign, campaign_types: types, settings } = detail.edit;
  const cid = Number(campaign['cid']);
  const context = { types, settings };
  const checked = checkDraft(draft, detail, refused);
  const { edit, revert } = editorStore.getState();
  return {
    cid,
    campaign,
    context,
    checked,
    limits: fieldLimits(campaign, context),
    text: (field) => shownText(draft, campaign, field),
    edit: (field, typed) => edit(cid, field, typed),
    revert: (field) => revert(cid, field),
    changed: (field) => draft[field] !== undefined,
    stored: (field) => valueInWords(field, campaign[field], context),
  };
}

/** Makes a proposal of the draft and opens its confirmation. Nothing is sent from here. */
export async function proposeAndReview(cid: number): Promise<void> {
  const id = await editorStore.getState().propose(cid);
  if (id !== null) await reviewStore.getState().review(id);
}
