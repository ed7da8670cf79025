import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

/** Returns a component that is loaded when it is drawn for the first time. */
export function lazily<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }));
}
