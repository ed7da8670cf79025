import { exportHeaderSchema, type ExportHeaderLine } from '#shared/app-api/index.ts';
import { readAnchorForm, type Anchor } from '../anchor/anchor.ts';
import { objectOf } from './export-line.ts';

/** What the first line of an export says (docs/ledger-format.md). */
export interface ExportHeader extends Pick<ExportHeaderLine, 'selection' | 'rows' | 'keys'> {
  anchor: Anchor | null;
}

export function headerLine({ selection, rows, anchor, keys }: ExportHeader): string {
  return JSON.stringify({ format: 'countersign ledger', version: 1, selection, rows, anchor, keys });
}

/** Reads a header back; null where the line is none. */
export function readHeader(line: string): ExportHeader | null {
  const header = exportHeaderSchema.safeParse(objectOf(line)).data;
  return header === undefined ? null : { ...header, anchor: readAnchorForm(header.anchor) };
}
