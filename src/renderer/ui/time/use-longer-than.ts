import { useEffect, useState } from 'react';

/** True once `active` has held for longer than so many milliseconds. */
export function useLongerThan(milliseconds: number, active: boolean): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    setPassed(false);
    if (!active) return;
    const timer = setTimeout(() => setPassed(true), milliseconds);
    return () => clearTimeout(timer);
  }, [active, milliseconds]);
  return active && passed;
}
