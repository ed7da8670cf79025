import type { ContractFinding, DoctorReport, DoctorStep } from '#shared/app-api/index.ts';
import { hideSecrets } from './mask.ts';
import type { Patient } from './patient.ts';
import { reportText } from './report-text.ts';
import type { Finding, Step } from './steps/step.ts';

/** The report as it grows; every change is a new one. Nothing gets into it with a secret in it. */
export interface Progress {
  report(): DoctorReport;
  begin(step: Step): void;
  soFar(step: Step, findings: readonly ContractFinding[]): void;
  end(step: Step, finding: Finding, tookMs: number | null): void;
  finish(endedAtMs: number): void;
}

export interface ProgressOptions {
  patient: Patient;
  steps: readonly Step[];
  startedAtMs: number;
  /** Every secret that is known by now. */
  secrets(): Iterable<string>;
  onProgress(report: DoctorReport): void;
}

export function createProgress(options: ProgressOptions): Progress {
  const { patient, steps, startedAtMs, secrets, onProgress } = options;
  const hide = (text: string): string => hideSecrets(text, secrets());
  let report: DoctorReport = {
    subject: hide(patient.subject),
    profileId: patient.profileId,
    startedAtMs,
    endedAtMs: null,
    steps: steps.map((step) => waiting(step, hide(step.asks(patient)))),
    text: '',
  };

  function change({ id }: Step, changed: Partial<DoctorStep>): void {
    const next = report.steps.map((shown) => (shown.id === id ? { ...shown, ...changed } : shown));
    report = { ...report, steps: next };
    onProgress(report);
  }

  const hidden = (findings: readonly ContractFinding[]): ContractFinding[] =>
    findings.map((finding) => ({ ...finding, title: hide(finding.title), text: hide(finding.text) }));

  return {
    report: () => report,
    begin: (step) => change(step, { state: 'running' }),
    soFar: (step, findings) => change(step, { findings: hidden(findings) }),
    end(step, { state, asked, answer, means, remedy, findings }, tookMs) {
      change(step, {
        state,
        tookMs,
        answer: hide(answer),
        means: means === null ? null : hide(means),
        remedy: remedy === null ? null : hide(remedy),
        ...(asked === undefined ? {} : { asked: hide(asked) }),
        ...(findings === undefined ? {} : { findings: hidden(findings) }),
      });
    },
    finish(endedAtMs) {
      const ended = { ...report, endedAtMs };
      report = { ...ended, text: reportText(ended) };
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
