import { setFlagsFromString } from 'node:v8';

/** Has V8 collect garbage earlier and keep less room for new objects (docs/decisions/0065-a-small-heap.md). Call it at the start. */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
}
