const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A week as text that spreadsheets do not reformat: `Mon 8-20; Tue 0-6,8-20; Wed off; …`. */
export function weekText(week: readonly number[]): string {
  return days.map((day, index) => `${day} ${dayText(week.slice(index * 24, index * 24 + 24))}`).join('; ');
}

/** Parses the text of {@link weekText}. Days that are not named are off. Null for any other text. */
export function readWeek(text: string): number[] | null {
  const week = Array.from({ length: 168 }, () => 0);
  for (const part of text.split(';').map((item) => item.trim())) {
    if (part === '') continue;
    const found = /^([a-z]{3})[a-z]*\s+(off|[\d\s,–-]+)$/iu.exec(part);
    const day = days.findIndex((name) => name.toLowerCase() === found?.[1]?.toLowerCase());
    const ranges = found?.[2]?.toLowerCase() ?? '';
    if (day === -1) return null;
    if (ranges === 'off') continue;
    for (const range of ranges.split(',')) {
      const [, from, to] = /^\s*(\d{1,2})\s*[–-]\s*(\d{1,2})\s*$/u.exec(range) ?? [];
      if (from === undefined || to === undefined || Number(from) >= Number(to) || Number(to) > 24)
        return null;
      week.fill(1, day * 24 + Number(from), day * 24 + Number(to));
    }
  }
  return week;
}

function dayText(hours: readonly number[]): string {
  const ranges: string[] = [];
  for (let hour = 0; hour < hours.length; hour += 1) {
    if (hours[hour] !== 1) continue;
    const from = hour;
    while (hours[hour] === 1) hour += 1;
    ranges.push(`${from}-${hour}`);
  }
  return ranges.length === 0 ? 'off' : ranges.join(',');
}
