import {
  useFormats,
  Banner,
  ForeignText,
  Button,
  IconButton,
  common,
  cx,
  pages,
} from '#renderer/ui/index.ts';
import {
  typeChange,
  addressParts,
  macrosOf,
  parametersOf,
  parameterText,
  testAddress,
  withParameters,
  type AddressParameter,
} from '#shared/campaign/index.ts';
import { statusCodes, statusNames } from '#shared/contract/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { type ReactElement, useRef, useState } from 'react';
import { type Editing, fieldLabels, isUsed, setField, textOf } from '../editing.ts';
import { ClearField, refusedByType, EditChoice, EditText } from '../fields/edit-fields.tsx';
import { refusedStatus } from '../field-words.ts';
import fields from '../fields/edit-fields.module.css';
import styles from '../editor.module.css';
import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import { useStore } from 'zustand';
import { focusField } from '../fields/field-block.tsx';

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

function AddressField({ editing, field }: { editing: Editing; field: string }): ReactElement {
  const address = textOf(editing, field);
  const isFixed = field === 'clickurl' && !editing.context.settings.edit_clickurl;
  const isHeld = isFixed || editing.proposalId !== null;
  const put = (next: string, isTyped = false): void => setField(editing, field, next, isTyped);
  return (
    <div className={common.stack3}>
      <EditText
        editing={editing}
        field={field}
        isFixed={isFixed}
        limit={
          isFixed
            ? 'This account may not change click URLs.'
            : field === 'website'
              ? 'http or https, the domain without macros'
              : 'http or https; macros of the service are allowed'
        }
      />
      {address !== '' && (
        <>
          <p className={fields.parts}>
            {addressParts(address).map(({ text, isMacro }, index) =>
              isMacro ? (
                <mark key={index} className={fields.macro}>
                  {text}
                </mark>
              ) : (
                <ForeignText key={index} text={text} />
              ),
            )}
          </p>
          <Parameters address={address} isHeld={isHeld} onChange={put} />
          <Macros
            address={address}
            isHeld={isHeld}
            onInsert={(macro, button) => {
              focusField(button, field);
              put(withMacro(address, macro));
            }}
          />
          <TestAddress address={address} />
        </>
      )}
    </div>
  );
}

function withMacro(address: string, macro: string): string {
  const name = macro.replaceAll(/[^\w-]/gu, '');
  return withParameters(address, [...parametersOf(address), { name, value: macro }]);
}

interface ParametersProps {
  address: string;
  isHeld: boolean;
  onChange: (address: string, isTyped?: boolean) => void;
}

const empty: AddressParameter = { name: '', value: '' };

/** A new parameter is local state until it has a name, because it cannot be drafted without one. */
function Parameters({ address, isHeld, onChange }: ParametersProps): ReactElement {
  const [fresh, setFresh] = useState<AddressParameter | null>(null);
  const rows = useRef<HTMLFieldSetElement>(null);
  const parameters = parametersOf(address);
  const put = (next: readonly AddressParameter[], isTyped = false): void =>
    onChange(withParameters(address, next), isTyped);

  function change(index: number, part: Partial<AddressParameter>): void {
    const next = [...parameters, ...(fresh ? [fresh] : [])].map((parameter, at) =>
      at === index ? { ...parameter, ...part } : parameter,
    );
    const last = next.at(-1);
    if (index < parameters.length) return put(next.slice(0, parameters.length), true);
    // The named parameter keeps its row, so that its fields keep the focus.
    if (last?.name === '') return setFresh(last);
    setFresh(null);
    put(next, true);
  }

  function add(): void {
    if (fresh === null) setFresh(empty);
    else rows.current?.querySelector<HTMLElement>('[data-fresh]')?.focus();
  }

  function remove(index: number): void {
    if (index === parameters.length) setFresh(null);
    else put(parameters.filter((_, at) => at !== index));
    rows.current?.querySelector<HTMLElement>('[data-add]')?.focus();
  }

  return (
    <fieldset ref={rows} className={common.stack1}>
      <legend className={cx(common.quiet, fields.legend)}>Parameters</legend>
      {[...parameters, ...(fresh ? [fresh] : [])].map(({ name, value }, index) => (
        <div key={index} className={fields.parameter}>
          <input
            className={cx(fields.input, fields.creativeInput)}
            aria-label={`Name of parameter ${index + 1}`}
            value={name}
            placeholder="name"
            disabled={isHeld}
            spellCheck={false}
            autoFocus={index === parameters.length}
            data-fresh={index === parameters.length || undefined}
            onChange={(event) => change(index, { name: parameterText(event.target.value) })}
          />
          <span aria-hidden>=</span>
          <input
            className={cx(fields.input, fields.creativeInput)}
            aria-label={`Value of parameter ${name === '' ? index + 1 : name}`}
            value={value ?? ''}
            placeholder="value"
            disabled={isHeld}
            spellCheck={false}
            onChange={(event) => change(index, { value: parameterText(event.target.value) })}
          />
          <IconButton
            icon="close"
            size="small"
            label={`Remove parameter ${name === '' ? index + 1 : name}`}
            disabled={isHeld}
            onClick={() => remove(index)}
          />
        </div>
      ))}
      <span>
        <Button size="small" icon="plus" data-add disabled={isHeld} onClick={add}>
          Add parameter
        </Button>
      </span>
    </fieldset>
  );
}

const macrosShown = 12;

function Macros(props: {
  address: string;
  isHeld: boolean;
  onInsert: (macro: string, button: Element) => void;
}): ReactElement | null {
  const { address, isHeld, onInsert } = props;
  const seen = useStore(besideStore, (state) => state.values);
  const used = new Set(macrosOf(address));
  const others = (seen?.macros ?? []).filter(({ macro }) => !used.has(macro)).slice(0, macrosShown);
  if (others.length === 0) return null;
  return (
    <div
      className={cx(common.row1, pages.wrap)}
      role="group"
      aria-label="Macros used by other campaigns of this account"
    >
      <span className={cx(common.quiet, fields.legend)}>Also used in this account</span>
      {others.map(({ macro, campaigns }) => (
        <Button
          key={macro}
          size="small"
          kind="quiet"
          icon="plus"
          disabled={isHeld}
          title={`In ${campaigns} campaigns`}
          onClick={({ currentTarget }) => onInsert(macro, currentTarget)}
        >
          <ForeignText text={macro} />
        </Button>
      ))}
    </div>
  );
}

function TestAddress({ address }: { address: string }): ReactElement {
  const filled = testAddress(address);
  const isCopied = useStore(besideStore, (state) => state.copied === filled);
  return (
    <div className={common.stack}>
      <span className={cx(common.quiet, fields.legend)}>
        Test address, with sample values; never opened by Countersign
      </span>
      <div className={fields.rowStart}>
        <code className={cx(common.growNarrow, fields.code)}>
          <ForeignText text={filled} />
        </code>
        <Button
          size="small"
          icon={isCopied ? 'check' : 'copy'}
          onClick={() => void besideStore.getState().copy(filled)}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}
