import { axisLabels, isWeekend } from '#shared/reports/index.ts';
import uPlot from 'uplot';
import { type ChartData, type ChartLine, dayTicks } from './chart-data.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface PlotOptions {
  data: ChartData;
  colors: ChartColors;
  width: number;
  height: number;
  /** Scales text and lines: 1 on a screen, more for a larger picture. */
  unit: number;
}

const letterSize = 11;
const axisHeight = 28;
const tickSize = 4;
const pointFromWidth = 14;
const markDistance = 64;
const weekendFromWidth = 3;
const thinBelowWidth = 4;

/** Draws a chart. The caller must destroy the plot. Without a target, it is drawn only on its own canvas. */
export function drawPlot(options: PlotOptions, target: HTMLElement | null, formats: Formats): uPlot {
  const { data, width, height, unit } = options;
  const { series, values } = seriesOf(options);
  const plotOptions: uPlot.Options = {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    padding: [8 * unit, data.ticks.length > 1 ? 0 : 12 * unit, 0, 0],
    scales: {
      x: { time: false, range: [-0.5, data.dates.length - 0.5] },
      ...Object.fromEntries(
        data.ticks.map((ticks, at) => [scaleName(at), { range: [ticks[0] ?? 0, ticks.at(-1) ?? 1] }]),
      ),
    },
    axes: [dayAxis(options), ...data.ticks.map((_, at) => valueAxis(options, at, formats))],
    series: [{}, ...series],
    hooks: { drawClear: [(plot) => drawDays(plot, options)] },
  };
  return new uPlot(plotOptions, [data.dates.map((_, at) => at), ...values], (plot, init) => {
    target?.append(plot.root);
    // Draws immediately, because a picture and a printer do not wait.
    plot.batch(init);
  });
}

const scaleName = (axis: number): string => `y${axis}`;

function seriesOf(options: PlotOptions): { series: uPlot.Series[]; values: (number | null)[][] } {
  const { data, colors, unit } = options;
  const drawn = data.lines.flatMap((line, at) => linesOf(options, line, at));
  // Compared lines are at the bottom, the first line is on top.
  const ordered = drawn.toSorted((left, right) => left.layer - right.layer);
  return {
    values: ordered.map(({ values }) => values),
    series: ordered.map(({ line, color, dash, area, points, width }) => ({
      scale: scaleName(line.axis),
      stroke: color,
      width: width * unit,
      ...(dash ? { dash: dash.map((length) => length * unit) } : {}),
      ...(area ? { fill: colors.area } : {}),
      spanGaps: false,
      points: pointsOf({ color, unit, ...points, surface: colors.surface }),
    })),
  };
}

interface DrawnLine {
  line: ChartLine;
  values: (number | null)[];
  color: string;
  width: number;
  dash: number[] | null;
  area: boolean;
  points: PointStyle;
  layer: number;
}

interface PointStyle {
  at: number[];
  shape: 'round' | 'square';
  hollow: boolean;
}

function linesOf(options: PlotOptions, line: ChartLine, at: number): DrawnLine[] {
  const { data, colors } = options;
  const { incomplete } = data;
  const color = colors.lines[at] ?? colors.text;
  const shape = at === 0 ? 'round' : 'square';
  const lineWidth = dayWidthOf(options) < thinBelowWidth ? 1.25 : 2;
  const complete = line.values.map((value, day) => (day === incomplete ? null : value));
  const drawn: DrawnLine[] = [];
  if (line.compared !== null) {
    const values = [...line.compared.values];
    const points: PointStyle = { at: lonePoints(values), shape, hollow: false };
    const dash = at === 0 ? [5, 4] : [1.5, 3.5];
    const style = { color: colors.compared[at] ?? color, width: lineWidth * 0.75, dash, area: false };
    drawn.push({ line, values, ...style, points, layer: -at });
  }
  const points: PointStyle = { at: markedPoints(options, complete, at), shape, hollow: false };
  const isOnly = data.lines.length === 1;
  drawn.push({
    line,
    values: complete,
    color,
    width: lineWidth,
    dash: null,
    area: isOnly,
    points,
    layer: 4 - at,
  });
  if (incomplete >= 0) {
    const values = line.values.map((value, day) =>
      day === incomplete || day === incomplete - 1 ? value : null,
    );
    const points: PointStyle = { at: [incomplete], shape, hollow: true };
    drawn.push({ line, values, color, width: lineWidth, dash: [2, 3], area: false, points, layer: 6 - at });
  }
  return drawn;
}

/** Points without a neighbouring day, which a line would not show. */
function lonePoints(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, at) =>
    value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null ? [at] : [],
  );
}

function dayWidthOf({ data, width, unit }: PlotOptions): number {
  return width / unit / Math.max(1, data.dates.length);
}

function markedPoints(options: PlotOptions, values: readonly (number | null)[], line: number): number[] {
  const dayWidth = dayWidthOf(options);
  const lone = new Set(lonePoints(values));
  const every = line === 0 ? Infinity : Math.ceil(markDistance / dayWidth);
  return values.flatMap((_, at) =>
    dayWidth >= pointFromWidth || lone.has(at) || (every < Infinity && at % every === 0) ? [at] : [],
  );
}

function pointsOf(style: PointStyle & { color: string; unit: number; surface: string }): uPlot.Series.Points {
  const { at, shape, hollow, color, unit, surface } = style;
  const size = (hollow ? 7 : 6) * unit;
  return {
    show: at.length > 0,
    filter: () => at,
    size,
    width: (hollow ? 1.5 : 0.5) * unit,
    stroke: color,
    fill: hollow ? surface : color,
    ...(shape === 'square' ? { paths: squares(size) } : {}),
  };
}

function squares(size: number): uPlot.Series.Points.PathBuilder {
  return (plot, series, _first, _last, marked) => {
    const path = new Path2D();
    const side = size * uPlot.pxRatio;
    const scale = plot.series[series]?.scale ?? scaleName(0);
    for (const at of marked ?? []) {
      const value = plot.data[series]?.[at] ?? null;
      if (value === null) continue;
      const [x, y] = [plot.valToPos(at, 'x', true), plot.valToPos(value, scale, true)];
      path.rect(x - side / 2, y - side / 2, side, side);
    }
    return { stroke: path, fill: path };
  };
}

function dayAxis({ data, colors, width, unit }: PlotOptions): uPlot.Axis {
  const ticks = dayTicks(data.dates, width / unit);
  return {
    scale: 'x',
    size: axisHeight * unit,
    gap: 5 * unit,
    font: fontOf(colors, unit),
    stroke: colors.textSoft,
    splits: () => ticks.map(({ index }) => index),
    values: () => ticks.map(({ label }) => label),
    grid: { show: false },
    ticks: { stroke: colors.grid, width: unit, size: tickSize * unit },
    border: { show: true, stroke: colors.grid, width: unit },
  };
}

function valueAxis({ data, colors, unit }: PlotOptions, at: number, formats: Formats): uPlot.Axis {
  const line = data.lines.find(({ axis }) => axis === at);
  const ticks = data.ticks[at] ?? [];
  const labels = line === undefined ? [] : axisLabels(line.column, ticks, formats);
  const letters = Math.max(2, ...labels.map((label) => label.length));
  return {
    scale: scaleName(at),
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- its const enum has no values at run time: left is 3, right 1
    side: at === 0 ? 3 : 1,
    size: (letters * letterSize * 0.6 + 14) * unit,
    gap: 6 * unit,
    font: fontOf(colors, unit),
    // With two axes, each has the colour of its line, and the legend names its side.
    stroke: data.ticks.length > 1 ? (colors.lines[at] ?? colors.textSoft) : colors.textSoft,
    splits: () => [...ticks],
    values: () => labels,
    grid: { show: at === 0, stroke: colors.grid, width: unit },
    ticks: { show: false },
  };
}

function fontOf({ font }: ChartColors, unit: number): string {
  return `${Math.round(letterSize * unit)}px ${font}`;
}

function drawDays(plot: uPlot, { data, colors, unit }: PlotOptions): void {
  const { ctx, bbox } = plot;
  const dayWidth = bbox.width / Math.max(1, data.dates.length);
  const leftOf = (at: number): number => bbox.left + at * dayWidth;
  ctx.save();
  if (dayWidth / uPlot.pxRatio >= weekendFromWidth * unit) {
    ctx.fillStyle = colors.weekend;
    data.dates.forEach((date, at) => {
      if (isWeekend(date)) ctx.fillRect(leftOf(at), bbox.top, dayWidth, bbox.height);
    });
  }
  if (data.incomplete >= 0) {
    ctx.beginPath();
    ctx.rect(leftOf(data.incomplete), bbox.top, dayWidth, bbox.height);
    ctx.clip();
    ctx.strokeStyle = colors.hatch;
    ctx.lineWidth = unit * uPlot.pxRatio;
    ctx.beginPath();
    const step = 6 * unit * uPlot.pxRatio;
    for (let x = leftOf(data.incomplete) - bbox.height; x < leftOf(data.incomplete + 1); x += step) {
      ctx.moveTo(x, bbox.top + bbox.height);
      ctx.lineTo(x + bbox.height, bbox.top);
    }
    ctx.stroke();
  }
  ctx.restore();
}

export interface ChartColors {
  /** Colours of the first and the second line. `compared` are the colours of their comparison lines. */
  lines: readonly [string, string];
  compared: readonly [string, string];
  area: string;
  grid: string;
  weekend: string;
  hatch: string;
  surface: string;
  text: string;
  textSoft: string;
  font: string;
}

/** Reads the tokens of the current theme, or of paper inside `data-paper`. */
export function chartColors(element: Element): ChartColors {
  const style = getComputedStyle(element);
  const read = (token: string): string => style.getPropertyValue(`--${token}`).trim();
  return {
    lines: [read('chart-1'), read('chart-2')],
    compared: [read('chart-1-compared'), read('chart-2-compared')],
    area: read('chart-area'),
    grid: read('chart-grid'),
    weekend: read('chart-weekend'),
    hatch: read('chart-hatch'),
    surface: read('surface'),
    text: read('text'),
    textSoft: read('text-soft'),
    font: read('font-sans'),
  };
}

export function paperColors(): ChartColors {
  const probe = document.createElement('div');
  probe.hidden = true;
  probe.dataset['paper'] = '';
  document.body.append(probe);
  try {
    return chartColors(probe);
  } finally {
    probe.remove();
  }
}

/** Loads the font. A canvas is not redrawn when a font arrives later. */
export async function chartLetters(): Promise<void> {
  await document.fonts.load(`12px ${chartColors(document.body).font}`);
}

/** Calls back when the look changes, and once more if the font arrives late. Returns the unsubscribe function. */
export function onLookChange(changed: () => void): () => void {
  let ended = false;
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-profile'] });
  if (!document.fonts.check(`12px ${chartColors(document.body).font}`))
    void chartLetters().then(() => !ended && changed());
  return () => {
    ended = true;
    observer.disconnect();
  };
}
