import { type ChangeView, fieldLabel } from '#shared/campaign/index.ts';
import { isStatusCode, statusNames } from '#shared/contract/index.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';

/** Maximum length of a campaign's name in a label, in code points. */
const maxNameLength = 300;

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
    label: isOne ? label : `${label} of ${quotedStart(name, maxNameLength)} (${cid})`,
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
