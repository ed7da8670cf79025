import { AppError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { pictureIn } from './picture-argument.ts';

/** An agent that a person has let in. */
export interface CallingAgent {
  id: string;
  /** As it calls itself: foreign text. */
  name: string;
  sinceMs: number;
  /** Its grant's one profile. */
  profileId: string;
}

/** One call of a tool that local policy takes for a write. */
export interface ToolCallRequest {
  agent: CallingAgent;
  /** The MCP session in which it came. */
  sessionId: string;
  tool: { name: string; title: string | null; definitionHash: string };
  /** As they go to the service. */
  args: JsonObject;
  /** Which of them the tool's pinned definition does not name, by their paths. */
  undeclared: readonly string[];
  /** The agent's own words, or null. */
  quotation: string | null;
  /** The service's preparation for this agent, where the call commits it. */
  prepared: {
    payload: JsonValue;
    /** The fields that change by it, as the service said; null where that cannot be read. */
    changes: readonly string[] | null;
    endsAtMs: number;
  } | null;
}

/** Most that a person can look through, in characters. */
const mostCharacters = 500_000;

/** Cost of a member besides its name and value, for its own line. */
const perMember = 50;

/** Cost of a picture that is drawn, however long its text is. */
const perPicture = 25_000;

/**
 * Passes for arguments that a person can look through before deciding. Fails with `arguments_invalid`: what nobody reads is
 * approved blindly, and keeps the app busy for seconds.
 */
export function assertReadable(args: JsonObject): void {
  let left = mostCharacters;
  const spend = (value: JsonValue): void => {
    if (typeof value === 'string') left -= costOf(value);
    else left -= 4;
    if (left < 0) throw new AppError('arguments_invalid', { message: tooMuch });
    if (Array.isArray(value)) value.forEach(spend);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        left -= perMember + key.length;
        spend(member);
      }
    }
  };
  spend(args);
}

function costOf(text: string): number {
  return text.length > perPicture && pictureIn(text) !== null ? perPicture : text.length;
}

const tooMuch =
  'The arguments are more than a person can look through before deciding. Make several smaller calls of it. ' +
  'Of files only pictures are shown as such: a still PNG, JPEG, GIF or WebP of up to 4 MiB without texts in it.';
