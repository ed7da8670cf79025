import type { CredentialFinder } from '#core/platform/credentials/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { codePointLength } from '#shared/lib/code-points.ts';
import type { Notes } from './notes.ts';
import { allowArguments, argumentInvalid, type OwnTool } from './own-tool.ts';

const longestNote = 1_000;

/** `countersign_note`: an agent's own words, which a person reads as a quotation beside its next change. */
export function createNoteTool(notes: Pick<Notes, 'keep'>, findCredential: CredentialFinder): OwnTool {
  return {
    definition: {
      name: 'countersign_note',
      title: 'Say why you want the next change',
      description:
        'Say in your own words why you want the next change; a person reads it beside the change, as a quotation.',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string', minLength: 1, maxLength: longestNote } },
        required: ['text'],
        additionalProperties: false,
      },
      annotations: {
        title: 'Say why you want the next change',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    call(_principal, args, { sessionId }) {
      allowArguments(args, ['text']);
      const { text } = args;
      if (typeof text !== 'string' || text.trim() === '' || codePointLength(text) > longestNote) {
        throw argumentInvalid('text', `It must be a text of at most ${longestNote} characters.`);
      }
      const credential = findCredential(text);
      if (credential !== null) throw credentialInside(credential);
      notes.keep(sessionId, text);
      return { content: [{ type: 'text', text: 'A person will read this beside your next change.' }] };
    },
  };
}

/** A note is kept, shown and exported: a credential in it is refused as in the arguments of any tool (contract §7.3). */
function credentialInside(found: string): AppError {
  const message = `It looks like ${found}. Leave it out.`;
  return new AppError('dlp_denied', { fields: [{ field: 'text', code: 'credential', message }] });
}
