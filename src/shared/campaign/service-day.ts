/** The calendar date and the time of day in a service-day zone. */
export interface ServiceMoment {
  /** YYYY-MM-DD */
  date: string;
  /** HH:MM */
  time: string;
  /** The zone, an IANA name. */
  zone: string;
}

/** The date and time in an IANA zone at a moment, in milliseconds since 1970 UTC. Throws a RangeError for an unknown zone. */
export function serviceDay(nowMs: number, zone: string): ServiceMoment {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(nowMs)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return {
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
    zone,
  };
}

/** Making one costs far more than using it, and there are a few zones only. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  formats.set(zone, format);
  return format;
}

/** True when this machine knows the zone's name. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
