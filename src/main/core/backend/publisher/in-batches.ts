const batchRows = 1_000;

/** A list in pieces, each made into text only when it is asked for. */
export function* inBatches<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += batchRows) yield rows.slice(at, at + batchRows);
}
