import type { ProposalView } from '#shared/app-api/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import type { Style } from './style.ts';

type ToolCall = Extract<ProposalView['detail'], { kind: 'tool' }>;

/** True where the change itself is told. */
export function isChangeKnown({ known }: ToolCall): boolean {
  return known === 'update' || known === 'status';
}

/** The call of a tool with every argument. Those of a payload whose changes are told above are counted. */
export function toolText(call: ToolCall, style: Style): string[] {
  const { name, title, prepared, args } = call;
  const isTold = (path: string): boolean => call.effect === 'stated' && /^payload[.[]/.test(path);
  const told = args.filter(({ path }) => isTold(path)).length;
  const called = title === null ? '' : ` (${quoted(title)})`;
  return [
    style.quiet(`── The call: ${inertText(name)}${called}`),
    prepared ? '  Prepared by the service; unchanged.' : '  Countersign did not see it being prepared.',
    ...args
      .filter(({ path }) => !isTold(path))
      .map(({ path, value }) => `  ${inertText(path)}: ${inertText(value)}`),
    ...(told === 0 ? [] : [`  payload: ${counted(told, 'value')}; all that they change stands above`]),
  ];
}
