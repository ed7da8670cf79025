/** How long a change waits for a decision, in minutes: the least, the most, and what it is until a person sets it. */
export const minWaitingMinutes = 10;
export const maxWaitingMinutes = 7 * 24 * 60;
export const usualWaitingMinutes = 24 * 60;
