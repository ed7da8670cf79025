// Apart from the schemas: the pages use these names and carry no schemas.

/** Groupings of the XML statistics (contract §4.2); `day` by default. */
export const xmlGroupings = ['day', 'geo', 'subid'] as const;

export type XmlGrouping = (typeof xmlGroupings)[number];

/** As what a report can be exported (contract §4.2). */
export const exportFormats = ['json', 'csv'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** The days of a week as schedules name them, Monday first. */
export const taskWeekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type TaskWeekday = (typeof taskWeekdays)[number];

/** Maximum number of complete days before the due day that a report may cover. */
export const maxReportDays = 90;
