import { z } from 'zod';
import type { Sentence } from '../lib/sentence.ts';

/** A sentence that this program has made, in another process or earlier. Never for what a service, an agent or a file sends. */
export const sentenceSchema = z.custom<Sentence>((value) => typeof value === 'string');
