/** What can be shown of what a call would do, as the core says it. */
export type KnownOfCall = 'update' | 'status' | 'campaign' | 'task' | 'arguments';

/** How much Countersign knows of what a call does, as the core says it. */
export type EffectOfCall = 'stated' | 'assumed' | 'named' | 'unknown';

/** What is listed beside a proposal without being changed by it: fields, whole campaigns, or the campaign as it was read. */
export type UnchangedAre = 'fields' | 'campaigns' | 'now';

/** True where the change itself is told, field by field or campaign by campaign. */
export function isChangeKnown(known: KnownOfCall): boolean {
  return known === 'update' || known === 'status';
}

/** True for a proposal that makes or ends a scheduled report: it spends nothing, so no money is shown. */
export function isOfTask({ detail }: { detail: { kind: string; known?: KnownOfCall } }): boolean {
  return detail.kind === 'tool' && detail.known === 'task';
}

/** What the unchanged entries of a proposal are. */
export function unchangedAre({
  operation,
  detail,
}: {
  operation: string;
  detail: { kind: string; known?: KnownOfCall };
}): UnchangedAre {
  if (operation === 'campaign.status' || detail.known === 'status') return 'campaigns';
  return detail.known === 'campaign' ? 'now' : 'fields';
}

/** `1 argument`, `5 arguments`. */
export function argumentCount(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'argument' : 'arguments'}`;
}
