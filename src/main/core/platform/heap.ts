import { setFlagsFromString } from 'node:v8';

/** Makes V8 collect garbage earlier (docs/decisions/0065-a-small-heap.md). Call it at the start. */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
}
