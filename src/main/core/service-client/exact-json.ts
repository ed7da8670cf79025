/**
 * A JSON value that leaves as this very text: what was approved is what is sent, byte for byte. Reading and writing it again
 * would move keys that look like integers.
 */
export class ExactJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Whoever writes it in the ordinary way would write other bytes. */
  toJSON(): never {
    throw new Error('An exact text is written as it is');
  }
}
