import type { WindowPlace } from '#shared/host-api/index.ts';

export interface Size {
  width: number;
  height: number;
}

export interface Area extends Size {
  x: number;
  y: number;
}

/** Part of a window's top edge, in points, that must be on a screen so that the window can be dragged. */
const grip = { width: 120, height: 40 };

/** Fits the last position to the current screens. A window whose top edge cannot be reached moves to the middle of the first screen. */
export function fitPlace(place: WindowPlace, workAreas: readonly Area[], minimum: Size): WindowPlace {
  const [first] = workAreas;
  if (!first) return place;
  const home = workAreas.find((area) => canBeHeld(place, area));
  const area = home ?? first;
  const width = Math.max(minimum.width, Math.min(place.width, area.width));
  const height = Math.max(minimum.height, Math.min(place.height, area.height));
  if (!home) return { ...middleOf(area, { width, height }), width, height, maximised: place.maximised };
  return {
    x: clamp(place.x, area.x, area.x + area.width - width),
    y: clamp(place.y, area.y, area.y + area.height - height),
    width,
    height,
    maximised: place.maximised,
  };
}

export function middleOf(area: Area, { width, height }: Size): { x: number; y: number } {
  return {
    x: Math.round(area.x + Math.max(0, area.width - width) / 2),
    y: Math.round(area.y + Math.max(0, area.height - height) / 2),
  };
}

function canBeHeld(place: WindowPlace, area: Area): boolean {
  const across = Math.min(place.x + place.width, area.x + area.width) - Math.max(place.x, area.x);
  return (
    across >= Math.min(grip.width, place.width) &&
    place.y + grip.height <= area.y + area.height &&
    place.y + grip.height > area.y
  );
}

/** If both bounds conflict, the lower bound wins, so that the top left corner stays on the screen. */
function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

/** Largest share of a screen that a confirmation may cover, so that its subject stays visible behind it. */
const confirmShare = 0.9;

export function largestConfirmSize(workArea: Size, minimum: Size): Size {
  return {
    width: Math.max(minimum.width, Math.floor(workArea.width * confirmShare)),
    height: Math.max(minimum.height, Math.floor(workArea.height * confirmShare)),
  };
}
