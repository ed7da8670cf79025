import { type ChangeView, fieldLabel } from '#shared/campaign/index.ts';
import { isStatusCode, statusNames } from '#shared/contract/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';

interface NamedCampaign {
  cid: number;
  /** Foreign text, as the service gave it. */
  name: string;
}

/** A change of one campaign's row without its values. */
export function rowChange(target: NamedCampaign, isOne: boolean, field: string): ChangeView {
  return aboutCampaign(target, isOne, { field, label: fieldLabel(field) });
}

/** A change that concerns a campaign, without values; the campaign is named where there are several. */
export function aboutCampaign(
  { cid, name }: NamedCampaign,
  isOne: boolean,
  { field, label }: Pick<ChangeView, 'field' | 'label'>,
): ChangeView {
  return {
    field: isOne ? field : `${cid}.${field}`,
    label: isOne ? label : `${label} of ${quoted(name)} (${cid})`,
    before: '',
    after: '',
    delta: null,
    factor: null,
    added: [],
    removed: [],
    schedule: null,
  };
}

/** A status by its name; one that the contract does not know by its number. */
export function statusInWords(status: number): string {
  return isStatusCode(status) ? statusNames[status] : String(status);
}
