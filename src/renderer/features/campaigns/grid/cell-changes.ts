import { asFailure } from '#renderer/stores/follow-core.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { flightsStore } from '#renderer/stores/campaigns/flights-store.ts';
import {
  cellKey,
  copyText,
  cursorRow,
  editCells,
  gridStore,
  type PastedCell,
  type PasteFault,
  startEdit,
} from '#renderer/stores/campaigns/grid-store.ts';
import { indexOfCampaign, loadedRows, rowAt } from '#renderer/stores/campaigns/paged-list.ts';
import { shownPart } from '#renderer/stores/campaigns/selection.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { notesStore } from '#renderer/stores/notes-store.ts';
import { serviceToday, sessionStore } from '#renderer/stores/session-store.ts';
import { maxEditedCells } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { type CampaignRow, isStatusCode, statusNames } from '#shared/contract/index.ts';
import {
  applyOperations,
  type CellEdit,
  type CellField,
  type FieldOperation,
  isCellField,
  readTypedCell,
  type TypedCell,
} from '#shared/drafts/index.ts';
import { activeCell, type CsvCell, tsvLine } from '#shared/lib/csv.ts';
import { exactText, toDecimal, toMicros } from '#shared/lib/decimal.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';

/** The value after operations. Undefined if they cannot be applied. */
export function valueWith(
  field: CellField,
  stored: JsonValue,
  operations: readonly FieldOperation[],
): JsonValue | undefined {
  const applied = applyOperations(field, stored, operations);
  return applied.kind === 'value' ? applied.value : undefined;
}

/** The field's value in the list, with its draft. Undefined while a date is not read. */
export function shownValue(row: CampaignRow, field: CellField): string | number | undefined {
  const isDate = field === 'create' || field === 'expire';
  const stored = isDate ? flightsStore.getState().byCid.get(row.cid)?.[field] : row[field];
  const draft = draftsStore.getState().campaigns[row.cid]?.fields[field];
  if (stored === undefined || draft === undefined) return stored;
  const value = valueWith(field, stored, draft.operations);
  return typeof value === 'string' || typeof value === 'number' ? value : stored;
}

/** The text that an editor begins with: exact figures, a name of a status, a date as YYYY-MM-DD. */
export function valueText(field: CellField, value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? '';
  if (field === 'status') return isStatusCode(value) ? statusNames[value] : '';
  return value === 0 && field !== 'payout' ? 'Unlimited' : exactText(toDecimal(value));
}

export function valueInCell(field: CellField, value: string | number, formats: Formats): string {
  if (typeof value === 'string') return value === '' ? 'not set' : inertText(value);
  if (field === 'status') return isStatusCode(value) ? statusNames[value] : String(value);
  if (field === 'payout') return formats.bid(toMicros(value));
  return value === 0 ? 'Unlimited' : formats.money(toMicros(value));
}

export type CellMove = 'stay' | 'up' | 'down' | 'next' | 'previous';

const read = (field: CellField, text: string): TypedCell =>
  readTypedCell(field, text, serviceToday(sessionStore.getState()));

const shownSelection = (): ReadonlySet<number> => {
  const { selection, found } = campaignsStore.getState();
  return shownPart(selection, found).cids;
};

const tooMany = `Up to ${maxEditedCells} campaigns can be changed here. Use Change… for more.`;

/** Fills the editor that has just opened with the value of its cell, or with the text that was refused before and the reason. */
export function beginEdit(): void {
  const { editing, entered, edit } = gridStore.getState();
  const { list } = campaignsStore.getState();
  const index = editing && list && indexOfCampaign(list, editing.cid);
  const row = index === null || list === null ? undefined : rowAt(list, index);
  if (editing === null || row === undefined) return;
  const initial = valueText(editing.field, shownValue(row, editing.field));
  const kept = entered.get(cellKey(editing));
  const text = editing.text ?? kept?.text ?? initial;
  edit({ ...editing, text, initial, fault: text === kept?.text ? kept.fault : null });
}

/** Ends the edit and stores its text. If the text is not valid in its column, the editor stays open and shows the reason. */
export function commitEdit(move: CellMove, target: 'cell' | 'selection' = 'cell'): void {
  const { editing, refuse, endEdit } = gridStore.getState();
  if (editing === null || editing.text === null) return;
  const { cid, field, text, initial } = editing;
  const cids = target === 'cell' ? [cid] : [...new Set([cid, ...shownSelection()])];
  if (text === initial && cids.length === 1) {
    endEdit();
    gridStore.getState().enter([{ cid, field }], null);
    return moveFrom(cid, field, move);
  }
  const typed = read(field, text);
  if (typed.kind === 'wrong') return refuse(typed.message);
  if (cids.length > maxEditedCells) return refuse(tooMany);
  endEdit();
  moveFrom(cid, field, move);
  void store(
    field,
    cids.map((one) => ({ cid: one, edit: typed.edit, text })),
  );
}

/** Ends the edit when the focus leaves the cell. A refused text stays in its cell with the reason. */
export function leaveEdit(): void {
  if (gridStore.getState().editing?.fault === null) commitEdit('stay');
  const { editing, enter, endEdit } = gridStore.getState();
  if (editing === null) return;
  if (editing.text !== null) enter([editing], { text: editing.text, fault: editing.fault });
  endEdit();
}

/** Cancels the edit and drops its text, including a text that was refused before. */
export function giveUpEdit(): void {
  const { editing, enter, endEdit } = gridStore.getState();
  endEdit();
  if (editing !== null) enter([editing], null);
}

function moveFrom(cid: number, field: CellField, move: CellMove): void {
  const { list, cursor, moveCursor } = campaignsStore.getState();
  const at = (list && indexOfCampaign(list, cid)) ?? cursor;
  if (move === 'down') moveCursor(at + 1);
  if (move === 'up') moveCursor(at - 1);
  if (move !== 'next' && move !== 'previous') return;
  const fields = gridStore.getState().columns.flatMap(({ key }) => (isCellField(key) ? [key] : []));
  const next = fields.indexOf(field) + (move === 'next' ? 1 : -1);
  const inRow = fields[next];
  const around = move === 'next' ? fields[0] : fields.at(-1);
  gridStore.getState().activate(inRow ?? around ?? field);
  moveCursor(inRow === undefined ? at + (move === 'next' ? 1 : -1) : at);
}

interface CellChange {
  cid: number;
  edit: CellEdit;
  text: string;
}

/**
 * Shows the texts until they are drafts. A refused text stays in its cell with the reason, so that the person can correct it.
 */
async function store(field: CellField, changes: readonly CellChange[]): Promise<void> {
  const { enter } = gridStore.getState();
  for (const { cid, text } of changes) enter([{ cid, field }], { text, fault: null });
  const before = draftsStore.getState().campaigns;
  const outcome = await ask(changes, false);
  if (typeof outcome === 'string') {
    for (const { cid, text } of changes) enter([{ cid, field }], { text, fault: outcome });
  } else await leaveStored(field, outcome, before);
  reopenRefused(field, changes);
}

type DraftedCampaigns = ReturnType<typeof draftsStore.getState>['campaigns'];

async function leaveStored(
  field: CellField,
  { cells }: EditedCells,
  before: DraftedCampaigns,
): Promise<void> {
  const { entered, enter } = gridStore.getState();
  for (const { cid, state, problems } of cells) {
    if (state !== 'problem') continue;
    const text = entered.get(cellKey({ cid, field }))?.text ?? '';
    enter([{ cid, field }], { text, fault: problems.join(' ') });
  }
  const changed = cells.filter(({ state }) => state === 'change').map(({ cid }) => cid);
  await draftsRead((campaigns) => changed.every((cid) => campaigns[cid] !== before[cid]));
  const stored = cells.filter(({ state }) => state !== 'problem');
  enter(
    stored.map(({ cid }) => ({ cid, field })),
    null,
  );
}

/** Waits until the page has read the drafts, so that a cell never shows its earlier value in between. */
function draftsRead(isRead: (campaigns: DraftedCampaigns) => boolean): Promise<void> {
  if (isRead(draftsStore.getState().campaigns)) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = draftsStore.subscribe(({ campaigns }) => {
      if (!isRead(campaigns)) return;
      stop();
      resolve();
    });
  });
}

/** Opens the editor with the refused text again, unless the person has gone on elsewhere. */
function reopenRefused(field: CellField, changes: readonly CellChange[]): void {
  const { entered, editing, activate, set } = gridStore.getState();
  const refused = changes.filter(({ cid }) => entered.get(cellKey({ cid, field }))?.fault != null);
  const [first] = refused;
  if (first === undefined) return;
  const { list, moveCursor } = campaignsStore.getState();
  const index = list && indexOfCampaign(list, first.cid);
  if (changes.length > 1)
    set({
      notice: `${refused.length} of ${changes.length} campaigns were not changed. Their cells show the reason.`,
    });
  const isHere = document.activeElement?.matches('[role=grid]') === true;
  if (editing !== null || index === null || !isHere) return;
  moveCursor(index);
  activate(field);
  startEdit();
}

type EditedCells = Awaited<ReturnType<typeof editCells>>;

async function ask(changes: readonly CellChange[], isPreview: boolean): Promise<EditedCells | string> {
  try {
    const edits = changes.map(({ cid, edit }) => ({ cid, edit }));
    return await editCells({ edits, isPreview });
  } catch (error) {
    const { message, next } = asFailure(error);
    return `${message} ${next}`;
  }
}

interface IndexedRow {
  index: number;
  row: CampaignRow;
}

function selectedRows(): IndexedRow[] {
  const { list } = campaignsStore.getState();
  const cids = shownSelection();
  if (list === null || cids.size === 0) return [];
  return loadedRows(list)
    .filter(({ cid }) => cids.has(cid))
    .map((row) => ({ row, index: indexOfCampaign(list, row.cid) ?? 0 }));
}

/** Gives the selected cells the value of the first one. Without a selection, the active cell gets the value above it. */
export function fillDown(): void {
  const { column, set } = gridStore.getState();
  const { list, cursor } = campaignsStore.getState();
  if (column === null || !isCellField(column) || list === null) return;
  const selected = selectedRows().map(({ row }) => row);
  const rows = selected.length > 1 ? selected : [rowAt(list, cursor - 1), cursorRow()];
  const [source, ...targets] = rows.filter((row) => row !== undefined);
  if (source === undefined || targets.length === 0) return;
  const text = valueText(column, shownValue(source, column));
  const typed = read(column, text);
  if (typed.kind === 'wrong') return set({ notice: typed.message });
  if (targets.length > maxEditedCells) return set({ notice: tooMany });
  void store(
    column,
    targets.map(({ cid }) => ({ cid, edit: typed.edit, text })),
  );
}

/** Pastes one value into the selected cells, or a column of values from the active cell downwards. */
export async function pasteColumn(field: CellField, text: string): Promise<void> {
  const { set, enter } = gridStore.getState();
  const lines = text.replaceAll(/\r\n?/gu, '\n').replace(/\n+$/u, '').split('\n');
  if (lines.some((line) => line.includes('\t')))
    return set({ notice: 'The clipboard has several columns. Copy one column and paste it again.' });
  const isHead = lines.length > 1 && lines[0]?.trim().toLowerCase() === titleOf(field).toLowerCase();
  const values = lines.slice(isHead ? 1 : 0).map(pastedText);
  const [only = ''] = values;
  if (values.length === 1) {
    if (!startEdit(only)) return;
    beginEdit();
    commitEdit('stay', shownSelection().size > 1 ? 'selection' : 'cell');
    return;
  }
  if (values.length > maxEditedCells)
    return set({ notice: `Up to ${maxEditedCells} values can be pasted at once. Use a file for more.` });
  const { fits, faults } = fitted(field, values);
  const cells = fits.map(({ cid }) => ({ cid, field }));
  for (const { cid, text: value } of fits) enter([{ cid, field }], { text: value, fault: null });
  const outcome = fits.length === 0 ? { cells: [], step: null } : await ask(fits, true);
  enter(cells, null);
  if (typeof outcome === 'string') return set({ notice: outcome });
  const problems = new Map(
    outcome.cells.flatMap(({ cid, state, problems: found }) =>
      state === 'problem' ? [[cid, found.join(' ')] as const] : [],
    ),
  );
  const good = fits.filter(({ cid }) => !problems.has(cid));
  const refused = fits.flatMap(({ cid, name, text: value }): PasteFault[] => {
    const message = problems.get(cid);
    return message === undefined ? [] : [{ name, text: value, message }];
  });
  const all = [...faults, ...refused];
  if (all.length === 0) return applyPasted(field, good);
  const title = `Paste ${values.length} values into ${titleOf(field)}?`;
  set({ pasted: { field, title, fits: good, faults: all } });
}

export function applyPasted(field: CellField, fits: readonly PastedCell[]): Promise<void> {
  return store(field, fits);
}

const titleOf = (field: CellField): string =>
  gridStore.getState().columns.find(({ key }) => key === field)?.title ?? fieldLabel(field);

/** Removes the quotation marks that a spreadsheet adds, and the mark that our own copy needs for texts that look like a formula. */
function pastedText(line: string): string {
  const cell = /^"(?:[^"]|"")*"$/u.test(line) ? line.slice(1, -1).replaceAll('""', '"') : line;
  return activeCell(cell);
}

function fitted(field: CellField, values: readonly string[]): { fits: PastedCell[]; faults: PasteFault[] } {
  const { list, cursor } = campaignsStore.getState();
  const selected = selectedRows().map(({ index }) => index);
  const indexes = selected.length > 1 ? selected : Array.from(values, (_, at) => cursor + at);
  const fits: PastedCell[] = [];
  const faults: PasteFault[] = [];
  for (const [at, text] of values.entries()) {
    const index = indexes[at];
    const row = list === null || index === undefined ? undefined : rowAt(list, index);
    const typed = read(field, text);
    if (row === undefined) faults.push({ name: '', text, message: noRow(index, list?.total ?? 0) });
    else if (typed.kind === 'wrong') faults.push({ name: row.name, text, message: typed.message });
    else fits.push({ cid: row.cid, name: row.name, text, edit: typed.edit });
  }
  return { fits, faults };
}

const noRow = (index: number | undefined, total: number): string =>
  index === undefined || index >= total
    ? 'There is no campaign for this value. Select as many rows as you paste.'
    : 'Its row is not loaded yet. Scroll to it first.';

/** Copies the active cells, or complete rows with the titles of their columns, for a spreadsheet. */
export async function copySelection(): Promise<void> {
  const { column, set } = gridStore.getState();
  const columns = gridStore.getState().columns.filter(({ key }) => key !== 'lastChange');
  const selected = selectedRows().map(({ row }) => row);
  const current = cursorRow();
  const rows = selected.length > 0 ? selected : current === undefined ? [] : [current];
  const head = columns.map(({ title }): CsvCell => ({ kind: 'text', text: title }));
  const lines =
    column === null
      ? [head, ...rows.map((row) => columns.map(({ key }) => copiedCell(row, key)))]
      : rows.map((row) => [copiedCell(row, column)]);
  try {
    await copyText(lines.map(tsvLine).join(''));
  } catch (error) {
    const { message, next } = asFailure(error);
    return set({ notice: `${message} ${next}` });
  }
  const { size } = shownSelection();
  if (size > selected.length)
    set({ notice: `Copied ${selected.length} of ${size} selected rows. The others are not loaded.` });
}

function copiedCell(row: CampaignRow, column: string): CsvCell {
  if (isCellField(column)) return cellOfText(valueText(column, shownValue(row, column)), column !== 'name');
  if (column === 'geo') return cellOfText(row.geo.join(', '));
  if (column === 'labels') {
    const { labels, byCid } = notesStore.getState();
    const ids = byCid.get(row.cid)?.labels ?? [];
    const names = labels.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
    return cellOfText(names.join(', '));
  }
  const value = row[column];
  return typeof value === 'number' || typeof value === 'string'
    ? cellOfText(String(value), typeof value === 'number')
    : cellOfText('');
}

const cellOfText = (text: string, isFigure = false): CsvCell => ({
  kind: isFigure ? 'number' : 'text',
  text,
});
