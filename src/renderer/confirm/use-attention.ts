import { useEffect } from 'react';
import type { Confirmation } from './flow/confirmation.ts';

/** Tells the confirmation when the page gains or loses the person's attention. */
export function useAttention(confirmation: Confirmation): void {
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') confirmation.appear();
      else confirmation.perceive({ kind: 'left' });
    };
    const leave = (): void => confirmation.perceive({ kind: 'left' });
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    window.addEventListener('blur', leave);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
      window.removeEventListener('blur', leave);
    };
  }, [confirmation]);
}
