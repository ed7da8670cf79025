/** What a failure or a notice means, and the one thing to do: a sentence each. */
export interface Meaning {
  means: string;
  remedy: string;
}
