import type { z } from 'zod';
import type { Requirements } from '../tool.ts';

/** One way of asking an agent to work here. It offers words only; nothing is read or changed. */
export interface RemotePrompt extends Requirements {
  name: string;
  title: string;
  description: string;
  /** The arguments, all of them texts; each is described in its schema. */
  input: z.ZodObject;
  /** What the person would say to the agent; arguments as `input` has read them. */
  text(args: Record<string, string | undefined>): string;
}
