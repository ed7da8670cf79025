import type { Table } from '../table.ts';

/** The version in every blob; another one is refused by `decodeTable`. */
export const tableBlobVersion = 1;

/** A table as compact bytes, with a checksum, for a cache. */
export function encodeTable(table: Table): Uint8Array {
  throw new Error(`Not built yet: ${table.rowCount}`);
}

/** The reverse of {@link encodeTable}. Fails with `report_cache_damaged` for bytes that are not exactly what it wrote. */
export function decodeTable(bytes: Uint8Array): Table {
  throw new Error(`Not built yet: ${bytes.length}`);
}

/** Bytes of memory that a table holds, roughly: columns exactly, texts estimated. */
export function tableBytes(table: Table): number {
  throw new Error(`Not built yet: ${table.rowCount}`);
}
