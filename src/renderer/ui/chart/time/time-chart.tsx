import { fullDateText } from '#shared/lib/date-text.ts';
import {
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import type uPlot from 'uplot';
import { cx } from '../../cx.ts';
import { chartData, type ChartData, type ChartInput } from './chart-data.ts';
import { selectedDays, useCursor, type ChartCursor, type CursorAction } from './cursor.ts';
import { chartColors, drawPlot, onLookChange } from './draw-plot.ts';
import { Markers, type ChartMarker } from './markers.tsx';
import { FiguresTable, Legend, Readout, readoutText } from './readout.tsx';
import styles from './time-chart.module.css';
import { useFormats } from '../../formats.ts';
import common from '../../styles/common.module.css';

export interface TimeChartProps extends ChartInput {
  label: string;
  height?: number;
  markers?: readonly ChartMarker[];
  onMarker?: (id: string) => void;
  /** Called with a selection of days. Without it, days cannot be selected. */
  onRange?: (from: string, to: string) => void;
}

const defaultHeight = 240;
const noMarkers: readonly ChartMarker[] = [];

/** A chart over days. Screen readers get a slider over the days and a table. */
export function TimeChart(props: TimeChartProps): ReactElement {
  const { label, height = defaultHeight, markers = noMarkers, onMarker, onRange } = props;
  const { columns, shown, days, comparedDays, incompleteDay } = props;
  const data = useMemo(
    () => chartData({ columns, shown, days, comparedDays, incompleteDay }),
    [columns, shown, days, comparedDays, incompleteDay],
  );
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const area = usePlot({ data, height, frame, canvas });
  const byDay = useMemo(() => markersByDay(data, markers), [data, markers]);

  const narrow = useCallback(
    (from: number, to: number): void => onRange?.(data.dates[from] ?? '', data.dates[to] ?? ''),
    [data, onRange],
  );
  const open = useCallback(
    (at: number): void => {
      const marker = frame.current?.querySelector<HTMLElement>(`[data-day="${at}"]`);
      if (marker) marker.click();
      else narrow(at, at);
    },
    [narrow],
  );
  const { cursor, act } = useCursor({ days: data.dates, open, narrow: onRange ? narrow : null });
  const { at } = cursor;

  // The table of a year has thousands of cells, so it is rendered after the chart.
  const figures = useDeferredValue(data);
  const isEmpty = data.lines.every(({ texts }) => texts.every((text) => text === null));

  return (
    <figure className={cx(common.stack2, styles.chart)}>
      <Legend data={data} hasMarkers={byDay.size > 0} />
      <div ref={frame} className={styles.frame} style={{ height }}>
        <div ref={canvas} aria-hidden="true" />
        {isEmpty && <p className={styles.empty}>No figures in this range</p>}
        {area !== null && data.dates.length > 0 && (
          <>
            <Cursor area={area} data={data} cursor={cursor} />
            <Slider label={label} area={area} data={data} at={at} byDay={byDay} act={act} />
            {onMarker && (
              <Markers
                days={[...byDay].map(([day, found]) => ({
                  at: day,
                  date: data.dates[day] ?? '',
                  x: area.left + middleOf(area, data, day),
                  markers: found,
                }))}
                y={area.top + area.height}
                onMarker={onMarker}
                onPoint={(day) => act({ kind: 'point', at: day })}
              />
            )}
            {at !== null && (
              <Readout
                data={data}
                at={at}
                markers={byDay.get(at) ?? noMarkers}
                hint={onRange && data.dates.length > 1 ? rangeHint(data, cursor, byDay.has(at)) : null}
                side={at < data.dates.length / 2 ? 'right' : 'left'}
                x={area.left + middleOf(area, data, at)}
              />
            )}
          </>
        )}
      </div>
      <FiguresTable caption={label} data={figures} />
    </figure>
  );
}

interface SliderProps {
  label: string;
  area: PlotArea;
  data: ChartData;
  at: number | null;
  byDay: ReadonlyMap<number, readonly ChartMarker[]>;
  act: (action: CursorAction) => boolean;
}

function Slider({ label, area, data, at, byDay, act }: SliderProps): ReactElement {
  const formats = useFormats();
  const dayAt = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.floor(((event.clientX - left) / width) * data.dates.length);
  };
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (!act({ kind: 'key', key: event.key, shift: event.shiftKey })) return;
    // Otherwise these keys would scroll the page and close dialogs around the chart.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      className={styles.slider}
      style={area}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={data.dates.length}
      aria-valuenow={(at ?? data.dates.length - 1) + 1}
      aria-valuetext={
        at === null
          ? 'Arrow keys read the days, with Shift they select; Enter shows the day'
          : readoutText(data, at, byDay.get(at) ?? noMarkers, formats)
      }
      onKeyDown={press}
      onBlur={() => act({ kind: 'leave' })}
      onPointerLeave={() => act({ kind: 'leave' })}
      onPointerMove={(event) => act({ kind: 'point', at: dayAt(event) })}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        act({ kind: 'press', at: dayAt(event) });
      }}
      onPointerUp={() => act({ kind: 'release' })}
      onPointerCancel={() => act({ kind: 'key', key: 'Escape', shift: false })}
    />
  );
}

interface CursorProps {
  area: PlotArea;
  data: ChartData;
  cursor: ChartCursor;
}

function Cursor({ area, data, cursor }: CursorProps): ReactElement {
  const { at } = cursor;
  const selected = selectedDays(cursor);
  const dayWidth = area.width / data.dates.length;
  return (
    <div className={styles.cursor} style={area} aria-hidden="true">
      {selected && (
        <div
          className={styles.selection}
          style={{ left: selected.from * dayWidth, width: (selected.to - selected.from + 1) * dayWidth }}
        />
      )}
      {at !== null && (
        <>
          <div className={styles.line} style={{ left: middleOf(area, data, at) }} />
          {data.lines.map((line, index) => {
            const value = line.values[at] ?? null;
            if (value === null) return null;
            const ticks = data.ticks[line.axis] ?? [];
            const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
            const top = area.height * (1 - (value - low) / (high - low));
            return (
              <div
                key={line.column.id}
                className={cx(styles.point, index === 0 ? styles.point1 : styles.point2)}
                style={{ left: middleOf(area, data, at), top }}
              />
            );
          })}
        </>
      )}
    </div>
  );
}

function middleOf(area: PlotArea, data: ChartData, at: number): number {
  return ((at + 0.5) / data.dates.length) * area.width;
}

function markersByDay(data: ChartData, markers: readonly ChartMarker[]): Map<number, ChartMarker[]> {
  const places = new Map(data.dates.map((date, at) => [date, at]));
  const byDay = new Map<number, ChartMarker[]>();
  for (const marker of markers) {
    const at = places.get(marker.date);
    if (at !== undefined) byDay.set(at, [...(byDay.get(at) ?? []), marker]);
  }
  return byDay;
}

function rangeHint(data: ChartData, cursor: ChartCursor, hasMarkers: boolean): string {
  const selected = selectedDays(cursor);
  // On a day with markers, Enter opens the markers.
  if (selected === null) return `Click or press ${hasMarkers ? 'Shift+Enter' : 'Enter'} to show this day`;
  const [from, to] = [data.dates[selected.from] ?? '', data.dates[selected.to] ?? ''];
  const act = cursor.dragging ? 'Release' : 'Press Enter';
  return `${act} to show ${fullDateText(from)} to ${fullDateText(to)} (${selected.to - selected.from + 1} days)`;
}

interface PlotArea {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface PlotParts {
  data: ChartData;
  height: number;
  frame: RefObject<HTMLElement | null>;
  canvas: RefObject<HTMLElement | null>;
}

function usePlot({ data, height, frame, canvas }: PlotParts): PlotArea | null {
  const formats = useFormats();
  const [width, setWidth] = useState(0);
  const [look, setLook] = useState(0);
  const [area, setArea] = useState<PlotArea | null>(null);

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const measure = (): void => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);

  useEffect(() => onLookChange(() => setLook((count) => count + 1)), []);

  useLayoutEffect(() => {
    if (canvas.current === null || width === 0) return undefined;
    const colors = chartColors(canvas.current);
    const drawn = drawPlot({ data, colors, width, height, unit: 1 }, canvas.current, formats);
    setArea(areaOf(drawn));
    return () => drawn.destroy();
    // `look` is a dependency, because the drawing reads its colours from the tokens.
  }, [data, width, height, look, canvas, formats]);

  return area;
}

function areaOf({ over }: uPlot): PlotArea {
  const pixels = (text: string): number => Number.parseFloat(text) || 0;
  const { left, top, width, height } = over.style;
  return { left: pixels(left), top: pixels(top), width: pixels(width), height: pixels(height) };
}
