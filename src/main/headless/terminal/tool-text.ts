import type { ProposalView } from '#shared/app-api/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import type { Style } from './style.ts';

type ToolCall = Extract<ProposalView['detail'], { kind: 'tool' }>;

/** True where the change itself is told. */
export function isChangeKnown({ known }: ToolCall): boolean {
  return known === 'update' || known === 'status';
}

/** The call of a tool with every argument. */
export function toolText({ name, title, prepared, args }: ToolCall, style: Style): string[] {
  const called = title === null ? '' : ` (${quoted(title)})`;
  return [
    style.quiet(`── The call: ${inertText(name)}${called}`),
    prepared
      ? '  Prepared by the service for this agent; the payload is unchanged.'
      : '  Countersign did not see it being prepared.',
    ...args.map(({ path, value }) => `  ${inertText(path)}: ${inertText(value)}`),
  ];
}
