import { type ReactElement, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { cellKey, gridStore } from '#renderer/stores/campaigns/grid-store.ts';
import { shownPart } from '#renderer/stores/campaigns/selection.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { serviceToday, sessionStore } from '#renderer/stores/session-store.ts';
import { changeAndFocus, cx, ForeignText, Icon, isApple, pages, useFormats } from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { statusNames } from '#shared/contract/index.ts';
import {
  type CellField,
  dateAfter,
  readTypedCell,
  settableStatuses,
  shiftInWords,
  statusByPrefix,
} from '#shared/drafts/index.ts';
import { dayAndDateText, isDate } from '#shared/lib/date-text.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import {
  beginEdit,
  type CellMove,
  commitEdit,
  giveUpEdit,
  leaveEdit,
  valueInCell,
  valueWith,
} from './cell-changes.ts';
import styles from './grid.module.css';

export interface EditableCellProps {
  cid: number;
  field: CellField;
  stored: string | number;
  align?: 'end';
  /** Draws the value of the draft, or the stored value if it is undefined. */
  children: (drafted: JsonValue | undefined) => ReactNode;
}

export function ChangedCell({ cid, field, stored, align, children }: EditableCellProps): ReactElement {
  const formats = useFormats();
  const key = cellKey({ cid, field });
  const isEditing = useStore(gridStore, ({ editing }) => editing !== null && cellKey(editing) === key);
  const entered = useStore(gridStore, (state) => state.entered.get(key));
  const draft = useStore(draftsStore, ({ campaigns }) => campaigns[cid]?.fields[field]);
  const drafted = draft && valueWith(field, stored, draft.operations);
  if (isEditing) return <CellEditor stored={drafted ?? stored} align={align ?? 'start'} />;
  if (entered !== undefined)
    return (
      <span
        className={cx(styles.entered, entered.fault !== null && styles.refused)}
        title={entered.fault ?? 'Being added to the drafts'}
      >
        {entered.fault !== null && <Icon name="warning" size={12} />}
        <ForeignText text={entered.text} />
        {entered.fault !== null && <span className={pages.unseen}>, not accepted: {entered.fault}</span>}
      </span>
    );
  if (drafted === undefined) return <>{children(undefined)}</>;
  const was = valueInCell(field, stored, formats);
  return (
    <span className={styles.drafted} title={`Draft. ${fieldLabel(field)} was ${was}`}>
      <span className={styles.dot} aria-hidden />
      {children(drafted)}
      <span className={pages.unseen}>, draft, was {was}</span>
    </span>
  );
}

interface CellEditorProps {
  stored: JsonValue;
  align: 'start' | 'end';
}

const commandKey = isApple ? '⌘' : 'Ctrl';

function CellEditor(props: CellEditorProps): ReactElement | null {
  const isReady = useStore(gridStore, ({ editing }) => editing?.initial != null);
  useLayoutEffect(() => {
    if (!isReady) beginEdit();
  }, [isReady]);
  return isReady ? <OpenEditor {...props} /> : null;
}

function OpenEditor({ stored, align }: CellEditorProps): ReactElement | null {
  const editing = useStore(gridStore, (state) => state.editing);
  const input = useRef<HTMLInputElement>(null);
  const isNew = useRef(editing?.text === editing?.initial);
  useLayoutEffect(() => {
    input.current?.focus();
    if (isNew.current) input.current?.select();
  }, []);
  if (editing?.text == null) return null;
  const { field, text, fault } = editing;
  const options = field === 'status' ? optionsFor(text, editing.initial ?? '') : null;

  function end(change: () => void): void {
    const grid = input.current?.closest<HTMLElement>('[role=grid]');
    // A refused text keeps its editor, and the editor keeps the focus.
    changeAndFocus(change, () => (gridStore.getState().editing === null ? grid : input.current));
  }

  function commit(move: CellMove, target: 'cell' | 'selection' = 'cell'): void {
    end(() => commitEdit(move, target));
  }

  function choose(step: 1 | -1): void {
    if (options === null) return;
    const names: string[] = settableStatuses.map((code) => statusNames[code]);
    const at = names.indexOf(options.chosen ?? '');
    gridStore.getState().type(names[(at + step + names.length) % names.length] ?? '');
  }

  return (
    <>
      <input
        ref={input}
        className={cx(styles.editor, align === 'end' && styles.end)}
        aria-label={`${fieldLabel(field)} of campaign ${editing.cid}`}
        aria-invalid={fault !== null}
        aria-describedby="cell-note"
        autoComplete="off"
        spellCheck={false}
        value={text}
        {...(options !== null && {
          role: 'combobox',
          'aria-expanded': true,
          'aria-controls': 'cell-options',
          'aria-activedescendant': options.chosen === null ? undefined : `cell-option-${options.chosen}`,
        })}
        onChange={({ target }) => gridStore.getState().type(target.value)}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        onContextMenu={(event) => event.stopPropagation()}
        onBlur={() => document.hasFocus() && gridStore.getState().editing === editing && leaveEdit()}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.nativeEvent.isComposing) return;
          const press = editorKeys[event.key];
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            choose(event.key === 'ArrowDown' ? 1 : -1);
          } else if (press === undefined) return;
          else if (event.key === 'Escape') end(giveUpEdit);
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) commit('stay', 'selection');
          else commit(press(event.shiftKey));
          event.preventDefault();
        }}
      />
      <CellNote
        stored={stored}
        input={input}
        options={options}
        onChoose={(name) => {
          gridStore.getState().type(name);
          commit('stay');
        }}
      />
    </>
  );
}

const editorKeys: Partial<Record<string, (isShifted: boolean) => CellMove>> = {
  Enter: (isShifted) => (isShifted ? 'up' : 'down'),
  Tab: (isShifted) => (isShifted ? 'previous' : 'next'),
  Escape: () => 'stay',
};

interface StatusOptions {
  chosen: string | null;
}

function optionsFor(text: string, initial: string): StatusOptions {
  const status = statusByPrefix(text);
  if (status !== null) return { chosen: statusNames[status] };
  return { chosen: text === initial && text !== '' ? text : null };
}

interface CellNoteProps {
  stored: JsonValue;
  input: { current: HTMLInputElement | null };
  options: StatusOptions | null;
  onChoose: (name: string) => void;
}

function CellNote({ stored, input, options, onChoose }: CellNoteProps): ReactElement | null {
  const formats = useFormats();
  const editing = useStore(gridStore, (state) => state.editing);
  const { selection, found } = useStore(campaignsStore);
  const note = useRef<HTMLDivElement>(null);
  const selected = shownPart(selection, found).cids.size;
  const result = editing?.text == null ? null : resultOf(editing.field, editing.text, stored, formats);
  const fault = editing?.fault ?? null;
  const isChanged = editing !== null && editing.text !== editing.initial;
  const selectionHint =
    selected > 1 && fault === null
      ? `${commandKey} Enter changes all ${formats.count(selected)} selected`
      : null;
  const isEmpty =
    fault === null && options === null && (result === null || !isChanged) && selectionHint === null;
  useLayoutEffect(() => place(note.current, input.current));
  useEffect(() => {
    const follow = (): void => place(note.current, input.current);
    window.addEventListener('scroll', follow, { capture: true, passive: true });
    window.addEventListener('resize', follow);
    return () => {
      window.removeEventListener('scroll', follow, { capture: true });
      window.removeEventListener('resize', follow);
    };
  }, [input]);
  return (
    <div ref={note} id="cell-note" popover="manual" className={styles.below} hidden={isEmpty}>
      {fault !== null && (
        <p role="alert" className={styles.fault}>
          <ForeignText text={fault} />
        </p>
      )}
      {fault === null && result !== null && isChanged && <p className={styles.result}>{result}</p>}
      {options !== null && (
        <div id="cell-options" role="listbox" aria-label="Status" className={styles.options}>
          {settableStatuses.map((code) => (
            <div
              key={code}
              id={`cell-option-${statusNames[code]}`}
              role="option"
              tabIndex={-1}
              aria-selected={options.chosen === statusNames[code]}
              className={styles.option}
              onPointerDown={(event) => event.preventDefault()}
              onClick={(event) => {
                event.stopPropagation();
                onChoose(statusNames[code]);
              }}
            >
              {statusNames[code]}
            </div>
          ))}
        </div>
      )}
      {selectionHint !== null && <p>{selectionHint}</p>}
    </div>
  );
}

const gap = 4;

function place(note: HTMLElement | null, input: HTMLElement | null): void {
  if (note === null || input === null) return;
  if (note.hidden) {
    if (note.matches(':popover-open')) note.hidePopover();
    return;
  }
  if (!note.matches(':popover-open')) note.showPopover();
  const { left, top, bottom } = input.getBoundingClientRect();
  const { offsetHeight: height, offsetWidth: width } = note;
  note.style.left = `${Math.max(gap, Math.min(left, innerWidth - width - gap))}px`;
  note.style.top = `${bottom + gap + height > innerHeight ? top - gap - height : bottom + gap}px`;
}

function resultOf(field: CellField, text: string, stored: JsonValue, formats: Formats): string | null {
  const today = serviceToday(sessionStore.getState());
  const read = readTypedCell(field, text, today);
  if (read.kind === 'wrong' || (typeof stored !== 'number' && typeof stored !== 'string')) return null;
  const { edit } = read;
  switch (edit.kind) {
    case 'amount': {
      const value = valueWith(field, stored, [edit.change]);
      return typeof value === 'number' ? valueInCell(field, value, formats) : null;
    }
    case 'startOn':
    case 'endOn':
      return dayAndDateText(edit.date);
    case 'shiftStart':
    case 'shiftEnd':
      return typeof stored === 'string' && isDate(stored)
        ? `${dayAndDateText(dateAfter(stored, edit.days))}, ${shiftInWords(edit.days, formats)}`
        : null;
    case 'noEnd':
      return 'No end date';
    default:
      return null;
  }
}
