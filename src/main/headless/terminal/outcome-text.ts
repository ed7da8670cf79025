import type { ProposalView } from '#shared/app-api/index.ts';
import type { FieldVerdict } from '#shared/campaign/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { isDoneBatch } from '#shared/proposals/states.ts';
import { admissionSentence, batchResults, stateSentences } from './proposal-text.ts';
import type { Style } from './style.ts';
import { usualFormats } from '#shared/lib/formats.ts';

const verdictWords: Record<FieldVerdict['verdict'], string> = {
  stored: 'saved and verified',
  normalised: 'normalised by the service',
  different: 'DIFFERENT',
  unknown: 'unknown',
  left: 'left as it was',
};

/** The result of a proposal: the sentence, the reason if there is one, and the verdict of each field that was read back. */
export function outcomeText(proposal: ProposalView, style: Style): string[] {
  const { state, outcome, verdicts, conflict } = proposal;
  const ofAdmission = proposal.detail.kind === 'admission' ? admissionSentence(proposal) : null;
  const ofBatch = isDoneBatch(proposal) ? 'Every change has its own result.' : null;
  const sentence = ofAdmission ?? ofBatch ?? stateSentences[state];
  const loud = { verified: style.verified, differs: style.loss, refused: style.loss, unknown: style.warning };
  const paint = state in loud ? loud[state as keyof typeof loud] : (text: string) => text;
  return [
    paint(sentence),
    ...(outcome === null || ofAdmission !== null
      ? []
      : [inertText(outcome.message), inertText(outcome.next)]),
    ...conflict.map(({ label, base, mine, theirs }) => {
      const request = mine === base ? '' : ` you asked for ${inertText(mine)},`;
      return `  ${inertText(label)}: it was ${inertText(base)},${request} it is ${inertText(theirs)}`;
    }),
    ...(proposal.detail.kind === 'batch' ? batchResults(proposal.detail) : verdictLines(verdicts)),
  ];
}

/** Lists the fields that were not stored as asked, one line each, and counts the others. */
function verdictLines(verdicts: FieldVerdict[]): string[] {
  if (verdicts.length === 0) return [];
  const asked = verdicts.filter(({ verdict }) => verdict === 'stored');
  const others = verdicts.filter(({ verdict }) => verdict !== 'stored');
  return [
    ...(asked.length > 0
      ? [`  ✓ ${usualFormats.counted(asked.length, 'field')} ${verdictWords.stored}`]
      : []),
    ...others.map(
      ({ label, verdict, sent, found }) =>
        `  ${inertText(label)}: ${verdictWords[verdict]}, sent ${inertText(sent)}, found ${inertText(found === '' ? 'not read yet' : found)}`,
    ),
  ];
}
