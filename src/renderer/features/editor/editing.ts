import {
  checkDraft,
  editorStore,
  shownText,
  type CheckedDraft,
  type Draft,
  type EditableField,
} from '#renderer/stores/editor/index.ts';
import type { CampaignDetail } from '#shared/app-api/index.ts';
import { fieldLimits, valueInWords, type FieldLimit } from '#shared/campaign/index.ts';
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
  /** What stands in a field. */
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
