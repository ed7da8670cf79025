import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

export function lazily<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }));
}
