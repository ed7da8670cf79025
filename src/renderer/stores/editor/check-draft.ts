import { validateCampaign } from '#shared/campaign/index.ts';
import type { CampaignChanges, CampaignDetail } from '#shared/app-api/index.ts';
import type { FieldError } from '#shared/errors/index.ts';
import {
  applyChanges,
  editableFields,
  movedFields,
  readDraft,
  type Draft,
  type EditableField,
} from './draft.ts';

/** A draft held against the campaign that was read. */
export interface CheckedDraft {
  changes: CampaignChanges;
  /** Errors by the field they stand at. */
  errorAt: ReadonlyMap<string, string>;
  /** Errors of fields that the panel does not edit. */
  elsewhere: FieldError[];
  moved: EditableField[];
  /** True when it can be proposed. */
  ready: boolean;
}

/** Reads, validates and compares a draft. Errors that the service named last stand until their field is typed again. */
export function checkDraft(
  draft: Draft,
  detail: CampaignDetail,
  refused: readonly FieldError[],
): CheckedDraft {
  const { campaign, campaign_types: types, settings } = detail.edit;
  const { changes, errors } = readDraft(draft, campaign);
  const rules =
    changes.length === 0
      ? []
      : validateCampaign(applyChanges(campaign, changes), { types, settings }, campaign);
  const all = [...errors, ...rules, ...refused];
  const errorAt = new Map<string, string>();
  for (const { field, message } of all) if (!errorAt.has(field)) errorAt.set(field, message);
  const moved = movedFields(draft, campaign);
  return {
    changes,
    errorAt,
    elsewhere: all.filter(({ field }) => !isEditable(field)),
    moved,
    ready: changes.length > 0 && errors.length === 0 && rules.length === 0 && moved.length === 0,
  };
}

function isEditable(field: string): boolean {
  return (editableFields as readonly string[]).includes(field);
}
