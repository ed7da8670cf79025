import {
  BarList,
  chartPng,
  PrintSheet,
  Sparkline,
  TimeChart,
  type Bar,
  type PrintedReport,
  type ReportDay,
} from '#renderer/ui/chart/index.ts';
import { addDays, isWeekend, type FileRow, type NamedColumn } from '#shared/reports/index.ts';
import { useEffect, useMemo, useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { defaultFormats } from '#shared/lib/formats.ts';

/** Calls of the components' callbacks in order, for a test to read. */
const calls: string[] = [];

const query = new URLSearchParams(location.search);
const count = Number(query.get('days') ?? '30');
const shown = (query.get('shown') ?? 'clicks').split(',').filter((id) => id !== '');
document.documentElement.dataset['theme'] = query.get('theme') ?? 'light';

const columns: NamedColumn[] = [
  { id: 'clicks', kind: 'count', label: null },
  { id: 'monetized', kind: 'count', label: null },
  { id: 'revenue', kind: 'money', label: null },
  { id: 'click_rate', kind: 'share', label: null },
  { id: 'odd', kind: 'count', label: 'Bot \u202eskcilc' },
];

/** Returns days with a weekend pattern, a day without figures, and a collapse. The days are always the same. */
function daysFrom(first: string, shift: number): ReportDay[] {
  return Array.from({ length: count }, (_, at) => {
    const date = addDays(first, at);
    if (at === 9 && shift === 0 && count > 20) return { date, values: columns.map(() => null) };
    const base = 90_000 + 24_000 * Math.sin((at + shift) / 5) + 9_000 * Math.sin((at + shift) * 2.3);
    const clicks = Math.round(
      base * (isWeekend(date) ? 0.62 : 1) * (at === count - 1 && shift === 0 ? 0.4 : 1),
    );
    return {
      date,
      values: [
        String(clicks),
        String(Math.round(clicks * 0.7)),
        (clicks * 0.0121).toFixed(6),
        (0.08 + 0.01 * Math.sin(at / 3)).toFixed(6),
        String(Math.round(clicks / 900)),
      ],
    };
  });
}

const start = '2026-10-24';
const days = daysFrom(start, 0);
const comparedDays = query.has('compare') ? daysFrom(addDays(start, -count), 3) : [];
const incompleteDay = query.has('incomplete') ? (days.at(-1)?.date ?? null) : null;
const markers = query.has('markers')
  ? [
      { id: 'one', date: addDays(start, 4), label: 'Bid of “DE push – summer” raised to $0.450' },
      { id: 'two', date: addDays(start, 11), label: 'Paused “FR pop \u202etset”' },
      { id: 'three', date: addDays(start, 11), label: 'Resumed “FR pop”' },
    ]
  : [];

const bars: Bar[] = [
  { value: 'BR', figure: '812345', compared: '790001' },
  { value: 'DE', figure: '402111', compared: '402111' },
  { value: 'US', figure: '388020', compared: '21000' },
  { value: 'x\u202e<b>evil</b>', figure: '120400', compared: null },
  { value: '', figure: '44', compared: '0' },
  { value: null, figure: null, compared: null },
];
const [clicks] = columns;

const picture = {
  title: `${shown.join(' and ')} by day`,
  facts: [
    ['Service', 'https://api.example'],
    ['Profile', 'Northwind \u202e Media'],
    ['Range', `${start} to ${days.at(-1)?.date ?? start}`],
    ['Time zone', 'Europe/Berlin'],
    ['Filters', query.get('filters') ?? 'None'],
    ['Time read', '2026-11-22T20:15:00.000Z'],
  ] as [string, string][],
  columns,
  shown,
  days,
  comparedDays,
  incompleteDay,
};

const rows = Array.from({ length: 60 }, (_, at): FileRow => {
  const { values } = days[at % Math.max(1, days.length)] ?? { values: [] };
  return { path: [at === 3 ? '<b>x\u202e</b>' : `source-${at}`], values, compared: values, flag: '' };
});

const printed = (): PrintedReport => ({
  picture,
  shape: { dimensions: ['subid'], columns, compared: true, flagged: false },
  rows,
  rowCount: 1234,
  totalLabel: 'Total',
  total: { path: [], values: ['2000000', '1400000', '24000.50', '0.08', null], compared: null, flag: '' },
});

Object.assign(window, {
  calls,
  async png(theme: 'paper' | 'current') {
    const bytes = new Uint8Array(await (await chartPng({ ...picture, theme }, defaultFormats)).arrayBuffer());
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  },
});

function Charts(): ReactElement {
  const [picked, setPicked] = useState<(string | null)[]>([]);
  const [later, setLater] = useState(0);
  useEffect(() => void Object.assign(window, { nextDay: () => setLater((days) => days + 1) }), []);
  const moved = useMemo(() => (later === 0 ? days : daysFrom(addDays(start, later), 0)), [later]);
  return (
    <div style={{ padding: 24, display: 'grid', gap: 24, background: 'var(--surface)' }}>
      <h1>Charts</h1>
      <TimeChart
        label={`${shown.join(' and ')} by day`}
        columns={columns}
        shown={shown}
        days={moved}
        comparedDays={comparedDays}
        incompleteDay={incompleteDay}
        markers={markers}
        onMarker={(id) => calls.push(`marker ${id}`)}
        onRange={(from, to) => calls.push(`range ${from} ${to}`)}
      />
      <PrintSheet content={printed} />
      <Sparkline values={days.map(({ values }) => values[0] ?? null)} incomplete={incompleteDay !== null} />
      {clicks && (
        <div style={{ width: 420 }}>
          <BarList
            label="Largest countries by clicks"
            dimension="geo"
            column={clicks}
            bars={bars}
            total={{ figure: '2000000', compared: '1900000', count: 57 }}
            picked={picked}
            onPick={(value) => {
              calls.push(`pick ${value}`);
              setPicked([value]);
            }}
          />
        </div>
      )}
    </div>
  );
}

const root = document.getElementById('root');
if (root) {
  document.body.style.overflow = 'auto';
  createRoot(root).render(<Charts />);
}
