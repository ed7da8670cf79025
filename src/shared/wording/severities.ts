import type { Sentence } from '../lib/sentence.ts';
type Severity = 'notice' | 'warning' | 'danger';

/**
 * Severities of warnings by kind of risk. Keep dangers rare: each demands typing, and people who type all day learn to
 * approve without reading. Within one severity the order of this table is the rank; the first is the headline.
 */
const severitiesByRisk = {
  money: {
    exposure_unlimited: 'danger',
    decimal_slip: 'danger',
    bid_from_zero: 'danger',
    bid_tenfold: 'danger',
    per_day_tenfold: 'danger',
    until_end_tenfold: 'danger',
    budget_tenfold: 'danger',
    daily_limit_removed: 'danger',
    budgets_off: 'danger',
    bid_control_tenfold: 'danger',
    until_end_unlimited: 'warning',
    spends_again: 'warning',
    bid_doubled: 'warning',
    per_day_doubled: 'warning',
    until_end_doubled: 'warning',
    budget_raised: 'warning',
    total_limit_removed: 'warning',
    decimal_slip_down: 'warning',
  },
  destination: {
    destination_changes: 'danger',
    destination_unclear: 'danger',
    host_changes: 'warning',
    destination_insecure: 'warning',
    url_parameter_dropped: 'warning',
  },
  traffic: {
    worldwide: 'danger',
    list_tenfold: 'danger',
    block_list_shrinks: 'danger',
    countries_replaced: 'warning',
    targeting_replaced: 'warning',
    targeting_widened: 'warning',
    targeting_unknown: 'warning',
    keywords_off: 'warning',
    list_shrinks: 'warning',
    list_grows: 'warning',
    block_list_grows: 'notice',
  },
  times: {
    end_removed: 'danger',
    schedule_wiped: 'danger',
    flight_revived: 'warning',
    flight_extended: 'warning',
    schedule_widened: 'warning',
    schedule_sparse: 'warning',
    schedule_zone_changes: 'warning',
    schedule_unknown: 'warning',
    starts_earlier: 'warning',
    starts_earlier_today: 'notice',
  },
  status: {
    bulk_activation: 'danger',
    activates_suspended: 'warning',
    leaves_pending: 'warning',
    many_campaigns: 'warning',
    activates: 'notice',
    several_campaigns: 'notice',
    mixed_statuses: 'notice',
  },
  pace: {
    frequency_cap_off: 'warning',
    frequency_cap_mode: 'warning',
    frequency_cap_loosened: 'warning',
    frequency_cap_higher: 'notice',
    pacing_off: 'warning',
    pacing_mode: 'warning',
    pacing_loosened: 'warning',
    pacing_higher: 'notice',
  },
  unassessed: {
    bid_controls: 'warning',
    type_changes: 'warning',
    type_unrecognised: 'warning',
    field_unknown: 'warning',
    text_unknown: 'notice',
    look_alikes: 'warning',
    volatile_field: 'warning',
  },
  tools: {
    prepare_unseen: 'danger',
    prepared_differently: 'danger',
    tool_argument_undeclared: 'danger',
    tool_names_others: 'danger',
    tool_effect_assumed: 'warning',
    tool_effect_unknown: 'danger',
    tool_unknown: 'danger',
  },
  access: {
    agent_imitates: 'danger',
    agent_namesake: 'warning',
    agent_elsewhere: 'warning',
  },
} as const satisfies Record<string, Record<string, Severity>>;

type RiskKind = keyof typeof severitiesByRisk;

export const riskKinds = Object.keys(severitiesByRisk) as [RiskKind, ...RiskKind[]];

export const severities = {
  ...severitiesByRisk.money,
  ...severitiesByRisk.destination,
  ...severitiesByRisk.traffic,
  ...severitiesByRisk.times,
  ...severitiesByRisk.status,
  ...severitiesByRisk.pace,
  ...severitiesByRisk.unassessed,
  ...severitiesByRisk.tools,
  ...severitiesByRisk.access,
} as const satisfies Record<string, Severity>;

export type WarningCode = keyof typeof severities;

export const warningCodes = Object.keys(severities) as [WarningCode, ...WarningCode[]];

export interface Warning {
  code: WarningCode;
  severity: Severity;
  text: Sentence;
}

export function warningOf(code: WarningCode, text: Sentence): Warning {
  return { code, severity: severities[code], text };
}

const weights = { danger: 0, warning: 1, notice: 2 } as const;
const ranks = new Map(warningCodes.map((code, rank) => [code, rank]));

export function bySeverity(a: { code: WarningCode }, b: { code: WarningCode }): number {
  const rankOf = ({ code }: { code: WarningCode }): number => ranks.get(code) ?? warningCodes.length;
  return weights[severities[a.code]] - weights[severities[b.code]] || rankOf(a) - rankOf(b);
}

/** A code that this version does not know has no kind. */
export function riskKindsOf(codes: readonly string[]): RiskKind[] {
  return riskKinds.filter((kind) => codes.some((code) => Object.hasOwn(severitiesByRisk[kind], code)));
}
