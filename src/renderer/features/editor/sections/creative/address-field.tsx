import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import { Button, ForeignText, IconButton, TextField, common, cx } from '#renderer/ui/index.ts';
import {
  addressParts,
  macrosOf,
  parametersOf,
  parameterText,
  testAddress,
  withParameters,
  type AddressParameter,
} from '#shared/campaign/index.ts';
import { type ReactElement, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type Editing, setField, textOf } from '../../editing.ts';
import { EditText } from '../../fields/edit-fields.tsx';
import { FieldBlock, focusField } from '../../fields/field-block.tsx';
import fields from '../../fields/fields.module.css';
import styles from './creative.module.css';

/** An address with its macros, its parameters and a filled-in copy for a test. Nothing requests it. */
export function AddressField({ editing, field }: { editing: Editing; field: string }): ReactElement {
  const address = textOf(editing, field);
  const isFixed = field === 'clickurl' && !editing.context.settings.edit_clickurl;
  const isHeld = isFixed || editing.proposalId !== null;
  const put = (next: string, isTyped = false): void => setField(editing, field, next, isTyped);
  return (
    <div className={common.stack3}>
      {isFixed ? (
        <FieldBlock editing={editing} fields={[field]}>
          <TextField
            label="Click URL"
            value={address}
            disabled
            limit="This account may not change click URLs."
            error={editing.errorAt.get(field)}
            onChange={() => undefined}
          />
        </FieldBlock>
      ) : (
        <EditText
          editing={editing}
          field={field}
          limit={
            field === 'website'
              ? 'http or https, the domain without macros'
              : 'http or https; macros of the service are allowed'
          }
        />
      )}
      {address !== '' && (
        <>
          <p className={styles.parts}>
            {addressParts(address).map(({ text, isMacro }, index) =>
              isMacro ? (
                <mark key={index} className={styles.macro}>
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

/** The parameters as rows. A new row is here alone until it has a name. */
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
    // The named row goes on as the same row: its fields keep the focus.
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
    // The row goes with its button.
    rows.current?.querySelector<HTMLElement>('[data-add]')?.focus();
  }

  return (
    <fieldset ref={rows} className={cx(common.stack1, common.plain)}>
      <legend className={styles.legend}>Parameters</legend>
      {[...parameters, ...(fresh ? [fresh] : [])].map(({ name, value }, index) => (
        <div key={index} className={styles.parameter}>
          <input
            className={cx(fields.input, styles.input)}
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
            className={cx(fields.input, styles.input)}
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
      className={cx(common.row1, common.wrap)}
      role="group"
      aria-label="Macros used by other campaigns of this account"
    >
      <span className={styles.legend}>Also used in this account</span>
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
      <span className={styles.legend}>Test address, with sample values; never opened by Countersign</span>
      <div className={styles.rowStart}>
        <code className={styles.code}>
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
