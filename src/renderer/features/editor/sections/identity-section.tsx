import { useFormats, Banner, ForeignText } from '#renderer/ui/index.ts';
import { typeChange } from '#shared/campaign/index.ts';
import { statusCodes, statusNames } from '#shared/contract/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { ReactElement } from 'react';
import { type Editing, fieldLabels, isUsed } from '../editing.ts';
import { ClearField, refusedByType, EditChoice, EditText } from '../fields/edit-fields.tsx';
import { refusedStatus } from '../field-words.ts';
import styles from '../editor.module.css';
import { AddressField } from './creative/address-field.tsx';

/** The campaign's status; moves that the service never takes from a member cannot be chosen. */
export function StatusField({ editing }: { editing: Editing }): ReactElement {
  const from = Number(editing.campaign['status']);
  const options = statusCodes.map((code) => ({
    value: code,
    label: statusNames[code],
    refused: refusedStatus(from, code),
  }));
  return <EditChoice editing={editing} field="status" options={options} />;
}

export function IdentitySection({ editing }: { editing: Editing }): ReactElement {
  const types = Object.entries(editing.context.types).map(([code, { name, pricing }]) => ({
    value: Number(code),
    label: inertText(`${name} · ${pricing}`),
  }));
  return (
    <>
      <div className={styles.form}>
        <EditText editing={editing} field="name" wide />
        <EditChoice editing={editing} field="type" options={types} />
        <StatusField editing={editing} />
      </div>
      <TypeEffect editing={editing} />
      {isUsed(editing, 'clickurl') && <AddressField editing={editing} field="clickurl" />}
      {isUsed(editing, 'website') && <AddressField editing={editing} field="website" />}
    </>
  );
}

function TypeEffect({ editing }: { editing: Editing }): ReactElement | null {
  const formats = useFormats();
  const [from, to] = [Number(editing.campaign['type']), Number(editing.payload['type'])];
  const change = from === to ? null : typeChange(editing.context, from, to, formats);
  if (change === null) return null;
  const refused = refusedByType(editing);
  const unused = change.ceases.filter((field) => ![...refused, ...editing.changed].includes(field));
  const lines = [
    change.pricing && `Pricing: ${change.pricing.before} → ${change.pricing.after}.`,
    change.bid && `Bid limits: ${change.bid.before} → ${change.bid.after}.`,
    change.applies.length > 0 && `Now used: ${fieldLabels(change.applies)}.`,
    unused.length > 0 && `No longer used, kept as they are: ${fieldLabels(unused)}.`,
    refused.length > 0 && `Cannot stay with this type: ${fieldLabels(refused)}.`,
  ].filter((line) => typeof line === 'string');
  return (
    <Banner
      tone={refused.length > 0 ? 'warning' : 'info'}
      title="The type changes the rules of this campaign."
      actions={
        refused.length === 0
          ? undefined
          : refused.map((field) => <ClearField key={field} editing={editing} field={field} />)
      }
    >
      {lines.length === 0 ? (
        'Fields and limits stay the same.'
      ) : (
        <ul className={styles.lines}>
          {lines.map((line) => (
            <li key={line}>
              <ForeignText text={line} />
            </li>
          ))}
        </ul>
      )}
    </Banner>
  );
}
