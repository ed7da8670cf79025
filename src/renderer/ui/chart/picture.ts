import { inertText } from '#shared/lib/inert-text.ts';
import { chartData, type ChartData, type ChartInput } from './time/chart-data.ts';
import { chartColors, type ChartColors, chartLetters, drawPlot, paperColors } from './time/draw-plot.ts';
import { comparedText } from './time/readout.tsx';
import type { Formats } from '#shared/lib/formats.ts';

export interface ChartPicture extends ChartInput {
  title: string;
  /** May be untrusted text. */
  facts: readonly (readonly [name: string, value: string])[];
  /** `paper` is always light. */
  theme: 'paper' | 'current';
}

const size = { width: 1200, plotHeight: 380, margin: 24 };
const pixelRatio = 2;

/** A PNG that is 2,400 pixels wide. Throws if the browser has not enough memory. */
export async function chartPng(picture: ChartPicture, formats: Formats): Promise<Blob> {
  await chartLetters();
  const canvas = chartCanvas(picture, formats);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The picture has no bytes.')) : resolve(blob)),
      'image/png',
    ),
  );
}

/** Synchronous, because a printer does not wait. */
export function chartCanvas(
  { title, facts, theme, ...input }: ChartPicture,
  formats: Formats,
): HTMLCanvasElement {
  const colors = theme === 'paper' ? paperColors() : chartColors(document.documentElement);
  const data = chartData(input);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no canvas.');
  const pen = { context, colors, width: size.width - 2 * size.margin };
  const origin = wrapped(
    pen,
    facts.map(([name, value]) => inertText(`${name}: ${value}`)),
  );
  const legend = legendOf(data);
  const top = size.margin + lineHeight * (1.5 + origin.length) + lineHeight;
  canvas.width = size.width * pixelRatio;
  canvas.height = (top + lineHeight * 1.5 + size.plotHeight + size.margin) * pixelRatio;

  context.scale(pixelRatio, pixelRatio);
  context.fillStyle = colors.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = 'middle';
  write(pen, {
    text: inertText(title),
    x: size.margin,
    y: size.margin + 6,
    size: 16,
    weight: 600,
    color: colors.text,
  });
  origin.forEach((text, at) =>
    write(pen, { text, x: size.margin, y: size.margin + lineHeight * (1.5 + at), color: colors.textSoft }),
  );
  let x = size.margin;
  for (const entry of legend) x = drawEntry(pen, entry, x, top);
  drawPlotInto(pen, data, top + lineHeight * 1.5, formats);
  return canvas;
}

const lineHeight = 18;
const gap = '     ';

interface Pen {
  context: CanvasRenderingContext2D;
  colors: ChartColors;
  width: number;
}

interface Writing {
  text: string;
  x: number;
  y: number;
  size?: number;
  weight?: number;
  color: string;
}

function write(
  { context, colors }: Pen,
  { text, x, y, size: letters = 12, weight = 400, color }: Writing,
): number {
  context.font = `${weight} ${letters}px ${colors.font}`;
  context.fillStyle = color;
  context.fillText(text, x, y);
  return context.measureText(text).width;
}

/** A piece that is wider than a line is broken, so that nothing is omitted. */
function wrapped({ context, colors, width }: Pen, pieces: readonly string[]): string[] {
  context.font = `400 12px ${colors.font}`;
  const fits = (text: string): boolean => context.measureText(text).width <= width;
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    const joined = line === '' ? piece : `${line}${gap}${piece}`;
    if (fits(joined)) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const letter of piece) {
      if (!fits(line + letter)) {
        lines.push(line);
        line = '';
      }
      line += letter;
    }
  }
  return line === '' ? lines : [...lines, line];
}

interface LegendEntry {
  text: string;
  lines: readonly number[];
  kind: 'line' | 'compared' | 'incomplete';
}

function legendOf(data: ChartData): LegendEntry[] {
  const sides = data.ticks.length > 1 ? [' (left axis)', ' (right axis)'] : [];
  const entries = data.lines.map(({ label, axis }, at): LegendEntry => {
    return { text: `${inertText(label)}${sides[axis] ?? ''}`, lines: [at], kind: 'line' };
  });
  if (data.comparedDates.length > 0) {
    entries.push({ text: comparedText(data), lines: data.lines.map((_, at) => at), kind: 'compared' });
  }
  if (data.incomplete >= 0) entries.push({ text: 'Incomplete day', lines: [0], kind: 'incomplete' });
  return entries;
}

const signWidth = 22;

function drawEntry(pen: Pen, { text, lines, kind }: LegendEntry, x: number, y: number): number {
  const { context, colors } = pen;
  lines.forEach((line, at) => {
    const from = x + at * (signWidth + 4);
    const palette = kind === 'compared' ? colors.compared : colors.lines;
    context.save();
    context.strokeStyle = context.fillStyle = palette[line] ?? colors.text;
    context.lineWidth = 2;
    if (kind === 'compared') context.setLineDash(line === 0 ? [5, 4] : [1.5, 3.5]);
    if (kind === 'incomplete') context.setLineDash([2, 3]);
    context.beginPath();
    context.moveTo(from, y);
    context.lineTo(from + signWidth, y);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    const middle = from + signWidth / 2;
    if (line === 0) context.arc(middle, y, 3.5, 0, 2 * Math.PI);
    else context.rect(middle - 3.5, y - 3.5, 7, 7);
    if (kind === 'incomplete') {
      context.fillStyle = colors.surface;
      context.lineWidth = 1.5;
      context.stroke();
    }
    if (kind !== 'compared') context.fill();
    context.restore();
  });
  const textX = x + lines.length * (signWidth + 4) + 4;
  return textX + write(pen, { text, x: textX, y, color: colors.text }) + 24;
}

function drawPlotInto({ context, colors }: Pen, data: ChartData, top: number, formats: Formats): void {
  const unit = pixelRatio / window.devicePixelRatio;
  const width = (size.width - 2 * size.margin) * unit;
  const plot = drawPlot({ data, colors, width, height: size.plotHeight * unit, unit }, null, formats);
  try {
    const place = [size.margin, top, size.width - 2 * size.margin, size.plotHeight] as const;
    context.drawImage(plot.ctx.canvas, ...place);
  } finally {
    plot.destroy();
  }
}
