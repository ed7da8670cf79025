import { moneyText } from '#shared/campaign/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import type { ProposalWords, Wording } from '../operation.ts';
import { readAdmission, type Admission } from './admission.ts';
import { admissionWarnings } from './warnings.ts';
import { scopesInWords } from './scope-words.ts';

const noMoney = moneyText({ kind: 'amount', micros: 0n });
const nothingAtRisk = { before: noMoney, after: noMoney };

/** Who asks to be let in, for people. Letting it in spends nothing by itself. */
export function admissionWords({ payload, profile }: Wording): ProposalWords {
  const admission = readAdmission({ payload });
  const { redirectHost, words, scopes } = admission;
  return {
    title: `Let ${quoted(admission.name)} ${deed(admission)} ${inertText(profile.name)} (${
      profile.kind === 'live' ? 'LIVE' : 'Demo'
    })`,
    targets: [],
    risk: { perDay: nothingAtRisk, untilEnd: nothingAtRisk, bidFactor: null, notes: [] },
    warnings: admissionWarnings(admission),
    typeToConfirm: null,
    changes: [],
    unchanged: [],
    detail: {
      kind: 'admission',
      redirectHost: inertText(redirectHost),
      words,
      scopes: scopesInWords(scopes),
    },
    group: null,
  };
}

function deed({ scopes }: Admission): string {
  return scopes.includes('svc:write') ? 'propose changes to' : 'look at';
}
