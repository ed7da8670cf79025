import { fieldLabel, type Warning } from '#shared/campaign/index.ts';
import type { ToolCallParts } from './base.ts';
import { commitTool } from './call-arguments.ts';

/**
 * What stands before everything else. A commit, or any call with an approval of the service, of which Countersign did not see the
 * preparing: another agent did it, or it was before this app ran.
 */
export function unseenWarnings({ name, args, approvalEndsAtMs }: ToolCallParts): Warning[] {
  const isOfPrepared = name === commitTool || Object.hasOwn(args, 'approvalId');
  return isOfPrepared && approvalEndsAtMs === null ? [notSeenPrepared] : [];
}

/** What a person is told of the fields that are not compared before sending. */
export function notComparedWarnings({ notCompared, subject }: ToolCallParts): Warning[] {
  const sent = subject.kind === 'update' ? ' Approving sends the value shown here.' : '';
  return notCompared.map((field) => ({
    code: 'volatile_field',
    severity: 'warning',
    text: `${fieldLabel(field)} keeps changing and is not compared.${sent}`,
  }));
}

const notSeenPrepared: Warning = {
  code: 'prepare_unseen',
  severity: 'danger',
  text: 'Countersign did not see this being prepared: what the service kept may differ from these arguments.',
};

export const effectAssumed: Warning = {
  code: 'tool_effect_assumed',
  severity: 'warning',
  text: 'This is what the arguments look like. The tool may do something else with them; reading the campaigns back shows what it did.',
};

export const effectUnknown: Warning = {
  code: 'tool_effect_unknown',
  severity: 'warning',
  text: 'What it changes is not known: Countersign sees only the arguments.',
};

export const argumentsOnly: Warning = {
  code: 'tool_arguments_only',
  severity: 'warning',
  text: 'Countersign cannot read this back: it sees only the arguments.',
};

export const callUnknown: Warning = {
  code: 'tool_unknown',
  severity: 'danger',
  text: 'Countersign cannot tell what this call does. It sees only the arguments.',
};
