import { afterEach, vi } from 'vitest';

// Files share a process: the clock of one must not stand still in the next.
afterEach(() => void vi.useRealTimers());
