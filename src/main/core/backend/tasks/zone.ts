/** The clocks of one time zone. Both directions are pure; milliseconds since 1970-01-01T00:00:00Z. */
interface Zone {
  /** What the zone's clocks show at this moment, counted as if it were UTC. */
  localMs(atMs: number): number;
  /**
   * The first moment at which the zone's clocks show this local time or a later one: of a time that comes twice the earlier
   * moment, for a time that is left out the moment at which the clocks go on.
   */
  momentOf(localMs: number): number;
}

const msPerDay = 86_400_000;

/** Opens a zone by its IANA name. Throws a RangeError for a name that this machine does not know. */
export function openZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const localMs = (atMs: number): number => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const wholeSeconds = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    // The parts end at seconds, below which no zone differs.
    return wholeSeconds + (((atMs % 1000) + 1000) % 1000);
  };
  return { localMs, momentOf: (wanted) => momentOf(localMs, wanted) };
}

/** No zone is a day away from UTC, and none changes its clocks twice within two days. */
function momentOf(localMs: Zone['localMs'], wantedMs: number): number {
  const aheadAt = (atMs: number): number => localMs(atMs) - atMs;
  const [startMs, endMs] = [wantedMs - msPerDay, wantedMs + msPerDay];
  const [aheadBefore, aheadAfter] = [aheadAt(startMs), aheadAt(endMs)];
  const byOldClock = wantedMs - aheadBefore;
  if (aheadBefore === aheadAfter) return byOldClock;
  const changeMs = firstAfter(startMs, endMs, (atMs) => aheadAt(atMs) !== aheadBefore);
  if (byOldClock < changeMs) return byOldClock;
  return Math.max(changeMs, wantedMs - aheadAfter);
}

/** The first millisecond in (low, high] for which a condition holds that holds from there on, and at `high`. */
function firstAfter(low: number, high: number, holds: (atMs: number) => boolean): number {
  let [before, from] = [low, high];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (holds(middle)) from = middle;
    else before = middle;
  }
  return from;
}
