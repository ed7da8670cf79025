import type { ContractFinding, DoctorReport, DoctorStep } from '#shared/app-api/index.ts';
import type { DiagnosticTarget } from '../diagnostic-target.ts';
import type { Finding, Step } from '../steps/step.ts';
import type { Mask } from './mask.ts';
import { reportText } from './report-text.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** The report as it grows; every change is a new one. Nothing gets into it with a secret in it. */
export interface Progress {
  report(): DoctorReport;
  begin(step: Step): void;
  /** One more finding of a step under way. */
  add(step: Step, finding: ContractFinding): void;
  end(step: Step, finding: Finding, tookMs: number | null): void;
  finish(endedAtMs: number): void;
}

interface ProgressOptions {
  target: DiagnosticTarget;
  steps: readonly Step[];
  startedAtMs: number;
  /** Contains every secret that could be in a finding by the time it is shown. */
  mask: Mask;
  onProgress(report: DoctorReport): void;
  formats: Formats;
}

export function createProgress(options: ProgressOptions): Progress {
  const { target, steps, startedAtMs, mask, onProgress, formats } = options;
  const { hide } = mask;
  let report: DoctorReport = {
    subject: hide(target.subject),
    profileId: target.profileId,
    startedAtMs,
    endedAtMs: null,
    steps: steps.map((step) => waiting(step, hide(step.asks(target)))),
    text: '',
  };

  function change({ id }: Step, changed: Partial<DoctorStep>): void {
    const next = report.steps.map((shown) => (shown.id === id ? { ...shown, ...changed } : shown));
    report = { ...report, steps: next };
    onProgress(report);
  }

  const hidden = (finding: ContractFinding): ContractFinding => ({
    ...finding,
    title: hide(finding.title),
    text: hide(finding.text),
  });

  return {
    report: () => report,
    begin: (step) => change(step, { state: 'running' }),
    add(step, finding) {
      const shown = report.steps.find(({ id }) => id === step.id)?.findings ?? [];
      change(step, { findings: [...shown, hidden(finding)] });
    },
    end(step, { state, asked, answer, means, remedy }, tookMs) {
      change(step, {
        state,
        tookMs,
        answer: hide(answer),
        means: means === null ? null : hide(means),
        remedy: remedy === null ? null : hide(remedy),
        ...(asked === undefined ? {} : { asked: hide(asked) }),
      });
    },
    finish(endedAtMs) {
      const ended = { ...report, endedAtMs };
      report = { ...ended, text: reportText(ended, formats) };
      onProgress(report);
    },
  };
}

function waiting({ id, title }: Step, asked: string): DoctorStep {
  return {
    id,
    title,
    state: 'waiting',
    asked,
    answer: '',
    tookMs: null,
    means: null,
    remedy: null,
    findings: [],
  };
}
