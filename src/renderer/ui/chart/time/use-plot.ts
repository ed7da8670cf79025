import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import type uPlot from 'uplot';
import type { ChartData } from './chart-data.ts';
import { chartColors, onLookChange } from './colors.ts';
import { drawPlot } from './draw-plot.ts';

/** Where the lines are drawn, in pixels of the chart's frame. */
export interface PlotArea {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface PlotParts {
  data: ChartData;
  height: number;
  /** As wide as the chart shall be. */
  frame: RefObject<HTMLElement | null>;
  /** Takes the drawing. */
  canvas: RefObject<HTMLElement | null>;
}

/** Draws a chart, and again when its figures, its width or the theme change. Null until it was drawn. */
export function usePlot({ data, height, frame, canvas }: PlotParts): PlotArea | null {
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
    const drawn = drawPlot({ data, colors, width, height, unit: 1 }, canvas.current);
    setArea(areaOf(drawn));
    return () => drawn.destroy();
    // What the look is, the drawing reads from the tokens.
  }, [data, width, height, look, canvas]);

  return area;
}

function areaOf({ over }: uPlot): PlotArea {
  const pixels = (text: string): number => Number.parseFloat(text) || 0;
  const { left, top, width, height } = over.style;
  return { left: pixels(left), top: pixels(top), width: pixels(width), height: pixels(height) };
}
